/** Comparison of complete JSON documents, in which values that differ between runs are replaced by their kind. */
import { expect } from 'vitest'

/** Replaces the times of the test run. The fixture accounts have times in early January 2026, which stay. */
const MADE_HERE = /"(?!2026-01-0\dT00:00:00\.000Z)\d{4}-\d\d-\d\dT[\d:.]+Z"/g

/** Compares with a file. Ids of this run become `<name>`, the own origin `https://here.example`, and times of this run `<time>`. */
export const expectGolden = async (
  file: string,
  value: unknown,
  origin: string,
  names: Record<string, string> = {},
): Promise<void> => {
  const { host } = new URL(origin)
  let text = JSON.stringify(value, null, 2)
    .replaceAll(origin, 'https://here.example')
    .replaceAll(`ws://${host}`, 'wss://here.example')
    .replaceAll(host, 'here.example')
  for (const [name, id] of Object.entries(names))
    text = text.replace(new RegExp(`(?<=["/])${id}(?=["/])`, 'g'), `<${name}>`)
  await expect(`${text.replace(MADE_HERE, '"<time>"')}\n`).toMatchFileSnapshot(`golden/${file}.golden.json`)
}
