/** Objects of a JSON body that cannot be converted to text or to a number. A schema that converts them throws, and the response is 500. */
import { expect, test } from 'vitest'
import type { z } from 'zod'
import { parseJson } from '../src/kit/json.js'
import { routedOperations } from '../src/registry.js'

const VALUES = ['{"toString":1,"valueOf":1}', '[{"toString":1,"valueOf":1}]', '{"0":{"toString":1,"valueOf":1}}'].map(
  parseJson,
)

const fieldsOf = (input: z.ZodType): string[] => {
  const { shape, options = [], left, right, in: given } = input.def as unknown as Record<string, never>
  const parts = [...(options as z.ZodType[]), left, right, given].filter((one) => one !== undefined) as z.ZodType[]
  return [...Object.keys(shape ?? {}), ...parts.flatMap(fieldsOf)]
}

test('every route accepts or refuses them without an exception', () => {
  const routes = routedOperations()
  const fields = routes.flatMap(({ name, input }) => fieldsOf(input).map((field) => ({ name, input, field })))
  expect(fields.length).toBeGreaterThan(500)
  const thrown = fields.flatMap(({ name, input, field }) => {
    try {
      for (const value of VALUES) input.safeParse({ [field]: value })
      return []
    } catch (error) {
      return [`${name} ${field}: ${(error as Error).message}`]
    }
  })
  expect(thrown).toEqual([])
})
