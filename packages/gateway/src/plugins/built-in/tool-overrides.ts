import { z } from 'zod';

/** Settings of single tools over those of all, put together once. */
export function withOverrides<Settings extends object>(
  base: Settings,
  overrides: Readonly<Record<string, object>>,
): (tool: string) => Settings {
  const byTool = new Map(
    Object.entries(overrides).map(([tool, own]) => [tool, { ...base, ...own }] as const),
  );
  return (tool) => byTool.get(tool) ?? base;
}

/** `tool_overrides`: some of the keys, by tool. */
export function overridesOf<Shape extends z.ZodRawShape>(
  shape: Shape,
): z.ZodDefault<z.ZodRecord<z.ZodString, z.ZodObject<Shape, z.core.$strict>>> {
  const error = `a section with some of ${Object.keys(shape).join(', ')}`;
  const some = z.strictObject(shape, { error });
  return z.record(z.string(), some, { error: 'sections by the name of a tool' }).default({});
}
