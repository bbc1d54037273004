import { ANY_MODEL } from '../demo-upstream/demo-models.ts';

/** What an agent of the demo does: what its user wants, and in which protocol it asks which model. */
export interface DemoStory {
  readonly agent: string;
  /** One that writes in another dialect each time, or one that always writes the same. */
  readonly model: string;
  readonly protocol: 'chat' | 'messages';
  readonly stream: boolean;
  /** What the user says, one after the other; each is one conversation, unless `goesOn`. */
  readonly prompts: readonly string[];
  /** Whether all of it is one conversation, in which the model sees what failed before. */
  readonly goesOn: boolean;
  /** After so many the model is cut short. */
  readonly maxTokens?: number;
  readonly pauseMs: number;
}

/** Agents that do well, one whose tool is flaky, one that goes in circles, and one whose model is cut short. */
export const DEMO_STORIES: readonly DemoStory[] = [
  {
    agent: 'traveller',
    model: ANY_MODEL,
    protocol: 'chat',
    stream: true,
    prompts: [
      'What is the weather in Oslo?',
      'What is the weather in Lisbon?',
      'Search pages for tides',
    ],
    goesOn: false,
    pauseMs: 1_100,
  },
  {
    agent: 'librarian',
    model: 'qwen-single-quotes',
    protocol: 'messages',
    stream: true,
    prompts: ['Search pages for the moon', 'Read the note travel.md'],
    goesOn: false,
    pauseMs: 1_700,
  },
  {
    agent: 'shop',
    model: ANY_MODEL,
    protocol: 'chat',
    stream: false,
    prompts: ['Charge the card of order A17', 'Charge the card of order B4'],
    goesOn: false,
    pauseMs: 900,
  },
  {
    agent: 'going in circles',
    model: 'mistral',
    protocol: 'chat',
    stream: false,
    prompts: ['Read the note taxes.md', 'Read the note taxes.md', 'Read the note shopping.md'],
    goesOn: true,
    pauseMs: 1_400,
  },
  {
    agent: 'too brief',
    model: 'qwen',
    protocol: 'chat',
    stream: false,
    prompts: ['Search pages for the history of tides'],
    goesOn: false,
    maxTokens: 12,
    pauseMs: 12_000,
  },
];
