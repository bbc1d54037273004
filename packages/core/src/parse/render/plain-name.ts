/**
 * Names that stand in a tag or an attribute as they are, for every parser: letters of any script, digits, and
 * what joins words. No parser reads longer ones.
 */
export const PLAIN_NAME: RegExp = /^[\p{L}\p{N}_][\p{L}\p{N}_.:@-]{0,99}$/u;
