/** An address without user, password, query and fragment: any of them may hold a key. */
export function urlWithoutSecrets(url: string): string {
  if (!URL.canParse(url)) return '[no URL]';
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
