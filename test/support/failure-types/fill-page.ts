type Section = () => Promise<string> | string;

const END = '<!-- end -->';

/** A page with each of its sections, `<!-- name -->` … `<!-- end -->`, as the code has it now. */
export async function fillPage(
  name: string,
  page: string,
  sections: Readonly<Record<string, Section>>,
): Promise<string> {
  let filled = page;
  for (const [section, make] of Object.entries(sections)) {
    const begin = `<!-- ${section} -->`;
    const from = filled.indexOf(begin);
    const to = filled.indexOf(END, from);
    if (from < 0 || to < 0) throw new Error(`${name} has no ${begin} … ${END}`);
    filled = `${filled.slice(0, from)}${begin}\n\n${await make()}\n\n${filled.slice(to)}`;
  }
  return filled;
}
