/** Public JSON compared as a whole document: what differs from run to run is replaced by what it is. */
import { expect } from 'vitest'

/** Every moment but those of the cast, who all joined on the first days of one January. */
const MADE_HERE = /"(?!2026-01-0\dT00:00:00\.000Z)\d{4}-\d\d-\d\dT[\d:.]+Z"/g

/** Ids of this run become `<name>`, our own address `https://here.example`, and moments of this run `<time>`. */
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
