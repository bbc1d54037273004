/** The user asked for something that cannot be done. The message says what was expected and what arrived. */
export class Misuse extends Error {}
