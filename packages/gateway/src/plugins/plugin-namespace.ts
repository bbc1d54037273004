/** What stands before the names of a plugin's circuits in a fleet: two plugins count apart. */
export function pluginNamespace(plugin: string): string {
  return `plugin:${plugin}`;
}
