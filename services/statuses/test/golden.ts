/** Compares public JSON as a whole document, with values that vary between runs replaced by placeholders. */
import { expect } from 'vitest'

/** Compares with the golden document of this name. Ids become `<name>`, and this server's address a fixed one. */
export const expectGolden = async (
  file: string,
  value: unknown,
  origin: string,
  names: Readonly<Record<string, string>>,
): Promise<void> => {
  let text = JSON.stringify(value, null, 2).replaceAll(origin, 'https://here.example')
  for (const [name, id] of Object.entries(names)) text = text.replaceAll(id, `<${name}>`)
  text = text.replace(/"\d{4}-\d\d-\d\dT(?!00:00:00)[\d:.]+Z"/g, '"<time>"')
  await expect(`${text}\n`).toMatchFileSnapshot(`golden/${file}.golden.json`)
}
