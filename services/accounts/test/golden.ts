/** Compares JSON with golden documents. Values that differ between runs are replaced by placeholders. */
import { expect } from 'vitest'

/** Replaces ids by `<name>`, the origin of this server by `https://here.example`, and times by `<time>`. */
export const steady = (value: unknown, origin: string, names: Record<string, string>): string => {
  let text = JSON.stringify(value, null, 2).replaceAll(origin, 'https://here.example')
  for (const [name, id] of Object.entries(names)) text = text.replaceAll(id, `<${name}>`)
  return `${text.replace(/"\d{4}-\d\d-\d\dT(?!00:00:00)[\d:.]+Z"/g, '"<time>"')}\n`
}

/** Compares a value with the golden document of this name. `created_at` of accounts created today is the day of the run. */
export const expectGolden = async (
  file: string,
  value: unknown,
  origin: string,
  names: Record<string, string>,
): Promise<void> => {
  const today = new Date().toISOString().slice(0, 10)
  const text = steady(value, origin, names)
    .replaceAll(`"${today}T00:00:00.000Z"`, '"<today>"')
    .replaceAll(`"${today}"`, '"<today>"')
  await expect(text).toMatchFileSnapshot(`golden/${file}.golden.json`)
}
