/** A configuration that cannot be used. Each problem names its place, what was expected and what arrived. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`the configuration cannot be used:\n${problems.map((each) => `- ${each}`).join('\n')}`);
    this.problems = problems;
  }
}
