/** The person running this gave something that cannot be run; the message says what. */
export class BadInputError extends Error {}
