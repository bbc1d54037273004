export const groups: Readonly<
  Record<string, { readonly execArgv?: readonly string[]; readonly onBoth?: boolean }>
>;
export const groupNames: readonly string[];
