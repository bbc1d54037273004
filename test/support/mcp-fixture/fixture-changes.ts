/** What changes while the fixture server runs; the same for all connections of one process. */
export interface FixtureChanges {
  /** Whether the tool and the prompt are listed that come and go. */
  readonly shown: { tool: boolean; prompt: boolean };
  /** Tells every client that listens. */
  readonly notify: {
    toolsChanged(): void;
    promptsChanged(): void;
    resourceUpdated(uri: string): void;
  };
}
