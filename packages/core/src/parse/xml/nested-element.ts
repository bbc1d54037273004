/** An element in a parameter: what it holds besides other elements, and those. */
export interface NestedElement {
  readonly name: string;
  text: string;
  readonly children: NestedElement[];
}

export function newElement(name: string): NestedElement {
  return { name, text: '', children: [] };
}
