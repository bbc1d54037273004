import type { FailureType } from '../../internal/failure-types.ts';
import { typeOfStatus } from './http-statuses.ts';

/** What the very beginning of a page or of an HTTP answer says. */
export interface PageStatus {
  /** Undefined when the status is one of success. */
  readonly type: FailureType | undefined;
  readonly line: string;
}

const STATUS_LINE = /^HTTP(?:\/[\d.]{1,3})? (\d{3})\b.{0,60}/;

const TITLE = /<title>([^<]{1,200})<\/title>/i;

/** Titles of pages that servers send in place of what was asked for. */
const TITLES: readonly (readonly [RegExp, FailureType])[] = [
  [/^(?:error )?404\b|^(?:page )?not found\b/i, 'not_found'],
  [/^(?:error )?403\b|^forbidden\b|^access (?:is )?denied\b/i, 'permission'],
  [/^(?:error )?401\b|^unauthorized\b/i, 'auth'],
  [/^(?:error )?429\b|^too many requests\b/i, 'rate_limit'],
  [/^(?:error )?504\b|^gateway time-?out\b/i, 'timeout'],
  [/^(?:error )?50[0-3]\b|^internal server error\b|^bad gateway\b|^service /i, 'server_error'],
  [
    /^just a moment\b|^attention required\b|^please verify you are (?:a )?human\b|^verify you are (?:a )?human\b|^are you a robot\b|^checking your browser\b|^enable javascript and cookies\b|^security check\b/i,
    'permission',
  ],
];

/** A page of that size is the page that was asked for, whatever its title. */
const MAX_PAGE = 20_000;

/**
 * Reads a status line, or the title of a page, where an output begins; undefined when it begins otherwise.
 * Where pages come as text, `isPage`, the first line is the title.
 */
export function readPageStatus(output: string, isPage: boolean): PageStatus | undefined {
  const head = output.slice(0, 2000).trimStart();
  const status = STATUS_LINE.exec(head);
  if (status !== null) return { type: typeOfStatus(Number(status[1])), line: status[0].trim() };
  if (output.length > MAX_PAGE) return undefined;
  const isMarkup = head.startsWith('<');
  if (!isMarkup && !isPage) return undefined;
  const title = isMarkup ? TITLE.exec(head)?.[1] : head.split('\n', 1)[0];
  const text = (title ?? '').trim().replace(/^(?:page )?title: ?"?/i, '');
  // A title is short: what goes on is a text that begins with these words.
  if (text.length > 100) return undefined;
  const found = TITLES.find(([form]) => form.test(text));
  return found === undefined ? undefined : { type: found[1], line: text };
}
