import { LabelValues } from './label-values.ts';

/** Labels that name the same things under several names, as OpenTelemetry has names of its own. */
const TOPICS: Readonly<Record<string, string>> = {
  gen_ai_tool_name: 'tool',
  gen_ai_request_model: 'model',
  gen_ai_provider_name: 'upstream',
};

/** How many values a label may have that come from outside, beside those that are known to exist. */
export const LABEL_LIMITS = Object.freeze({
  tool: 200,
  circuit: 500,
  model: 100,
  server: 100,
  upstream: 50,
});

/** How many any other label may have: its values are words of ours, of which there are few. */
export const OWN_WORDS = 60;

/** The values of all labels, so that a tool is called the same in every metric. */
export class LabelBook {
  readonly #clean: (value: string) => string;
  readonly #values = new Map<string, LabelValues>();

  /** `clean` takes secrets out of a value that is new. */
  constructor(clean: (value: string) => string = (value) => value) {
    this.#clean = clean;
  }

  /** Whether the values of a label come from outside. */
  isOpen(label: string): boolean {
    return Object.hasOwn(LABEL_LIMITS, topicOf(label));
  }

  of(label: string): LabelValues {
    const topic = topicOf(label);
    let values = this.#values.get(topic);
    if (values === undefined) {
      const limits: Readonly<Record<string, number>> = LABEL_LIMITS;
      values = new LabelValues(limits[topic] ?? OWN_WORDS, this.#clean);
      this.#values.set(topic, values);
    }
    return values;
  }

  /** How often each label was told as `other`: those whose values come from outside, and those that ever were. */
  folded(): ReadonlyMap<string, number> {
    const counts = new Map(Object.keys(LABEL_LIMITS).map((topic) => [topic, 0]));
    for (const [topic, { folded }] of this.#values) if (folded > 0) counts.set(topic, folded);
    return counts;
  }
}

function topicOf(label: string): string {
  return TOPICS[label] ?? label;
}
