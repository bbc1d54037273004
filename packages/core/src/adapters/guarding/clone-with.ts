/**
 * A copy of an object with some of its properties replaced. What is hidden stays hidden, and what it inherits
 * it still inherits: SDKs keep a tool's function in properties that are not listed.
 */
export function cloneWith<Value extends object>(value: Value, changes: object): Value {
  const properties: PropertyDescriptorMap = { ...Object.getOwnPropertyDescriptors(value) };
  for (const [name, changed] of Object.entries(changes) as [string, unknown][]) {
    const enumerable = properties[name]?.enumerable ?? true;
    properties[name] = { value: changed, enumerable, writable: true, configurable: true };
  }
  return Object.create(Object.getPrototypeOf(value) as object | null, properties) as Value;
}
