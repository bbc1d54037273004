type Method = (...args: readonly unknown[]) => unknown;

/**
 * An object with some of its methods replaced; all else is its own. What is set on one is set on both. Methods
 * run on the object itself: private fields are no proxy's to read.
 */
export function withMethods<Target extends object>(
  target: Target,
  methods: Readonly<Record<string, Method>>,
): Target {
  const bound = new WeakMap<object, unknown>();
  return new Proxy(target, {
    get(_target, key) {
      if (typeof key === 'string' && Object.hasOwn(methods, key)) return methods[key];
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function' || key === 'constructor' || Object.hasOwn(target, key))
        return value;
      const known = bound.get(value) ?? (value.bind(target) as unknown);
      bound.set(value, known);
      return known;
    },
    set: (_target, key, value: unknown) => Reflect.set(target, key, value, target),
  });
}
