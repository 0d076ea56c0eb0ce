/** Every entity accepts a complete example, and refuses it with a missing or an additional member. */
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import * as entities from '../src/entities/index.js'
import { accountCases } from './examples/account.js'
import { adminCases } from './examples/admin.js'
import { notificationCases } from './examples/notification.js'
import { serverCases } from './examples/server.js'
import { statusCases } from './examples/status.js'
import { threadCases } from './examples/thread.js'

type JsonObject = Record<string, unknown>
const cases: [string, JsonObject][] = [
  ...accountCases,
  ...statusCases,
  ...threadCases,
  ...notificationCases,
  ...serverCases,
  ...adminCases,
].map(([name, example]) => [name, example as JsonObject])

const schemas = new Map<string, z.ZodType>()
for (const value of Object.values(entities)) {
  const id = value instanceof z.ZodType ? z.globalRegistry.get(value)?.id : undefined
  if (id) schemas.set(id, value as z.ZodType)
}
const schemaOf = (name: string) => schemas.get(name) ?? expect.fail(`no entity called ${name}`)

/** The object schema with this name; for a union, the variant that accepts the example. */
function objectFor(schema: z.ZodType, example: unknown): z.ZodObject | null {
  if (schema instanceof z.ZodObject) return schema
  if (!(schema instanceof z.ZodUnion)) return null
  const variant = schema.options.find((option) => z.safeParse(option, example).success)
  return variant instanceof z.ZodObject ? variant : null
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const without = (object: JsonObject, key: string) =>
  Object.fromEntries(Object.entries(object).filter(([name]) => name !== key))

/** Copies of a value, each with an additional member in one of its objects, at any depth. */
function* withOneKeyMore(value: unknown): Generator<unknown> {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      for (const changed of withOneKeyMore(item)) yield value.with(index, changed)
    }
  } else if (isObject(value)) {
    yield { ...value, key_too_many: 1 }
    for (const [key, inner] of Object.entries(value)) {
      if (key === 'metadata') continue // `metadata` of NodeInfo may have any members
      for (const changed of withOneKeyMore(inner)) yield { ...value, [key]: changed }
    }
  }
}

describe.each(cases)('%s', (name, example) => {
  const schema = schemaOf(name)

  test('accepts a complete example', () => {
    expect(z.safeParse(schema, example).error?.issues ?? []).toEqual([])
    const object = objectFor(schema, example)
    if (object) expect(Object.keys(example).sort()).toEqual(Object.keys(object.shape).sort())
  })

  test('refuses a missing member, unless it is optional', () => {
    const object = objectFor(schema, example)
    const wrong = Object.keys(object?.shape ?? {}).filter((key) => {
      const mayBeAbsent = z.safeParse(object?.shape[key] as z.ZodType, undefined).success
      return z.safeParse(schema, without(example, key)).success !== mayBeAbsent
    })
    expect(wrong).toEqual([])
  })

  test('refuses an additional member, also in nested objects', () => {
    // The first 200 copies suffice, because nested entities have their own row.
    const changed = [...withOneKeyMore(example)].slice(0, 200)
    expect(changed.length).toBeGreaterThan(0)
    expect(changed.filter((value) => z.safeParse(schema, value).success)).toEqual([])
  })
})

describe('components', () => {
  const { schemas: components } = z.toJSONSchema(z.globalRegistry, {
    uri: (id) => `#/components/schemas/${id}`,
  })
  const used = [...schemas.keys()]

  test('the members of union variants are checked too', () => {
    const quote = { state: 'deleted', quoted_status: null }
    expect(Object.keys(objectFor(schemaOf('Quote'), quote)?.shape ?? {})).toEqual(['state', 'quoted_status'])
  })

  test('every exported entity becomes an OpenAPI component with a name and a description', () => {
    expect(used.length).toBeGreaterThan(120)
    for (const id of used) {
      expect(id).toMatch(/^[A-Za-z0-9.]+$/)
      expect(components[id], id).toMatchObject({ description: expect.stringMatching(/^[A-Z].*\.$/s) })
    }
  })

  test('references refer to existing components', () => {
    const refs = [...JSON.stringify(components).matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].map((m) => m[1])
    expect(refs.length).toBeGreaterThan(200)
    expect(refs.filter((ref) => !ref || !(ref in components))).toEqual([])
  })

  test('every object is closed and has an example in the tables', () => {
    const named = new Set(cases.map(([name]) => name))
    const objects = used.filter((id) => components[id]?.properties && id !== 'StreamCommand')
    expect(objects.filter((id) => components[id]?.additionalProperties !== false)).toEqual([])
    expect(objects.filter((id) => !named.has(id))).toEqual([])
  })
})
