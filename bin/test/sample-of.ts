/** Values that conform to schemas, for commands in tests that read the responses of a server. */
import type { Output } from '@murmuration/contracts/kit'
import type { z } from 'zod'

const TIME = '2026-01-01T00:00:00.000Z'

type Def = z.core.$ZodTypes['_zod']['def']

const enumSample = (values: unknown[]): unknown => (values.includes('done') ? 'done' : values[0])

const sample = (schema: z.core.$ZodType, depth: number): unknown => {
  const inner = (one: z.core.$ZodType): unknown => sample(one, depth + 1)
  const def = schema._zod.def as Def
  if (depth > 12) return null
  switch (def.type) {
    case 'string':
      return (def as { format?: string }).format === 'datetime' ? TIME : '1'
    case 'number':
      return 1
    case 'boolean':
      return true
    case 'literal':
      return def.values[0]
    case 'enum':
      return enumSample(Object.values(def.entries))
    case 'array':
      return [inner(def.element)]
    case 'object':
      return Object.fromEntries(
        Object.entries(def.shape).map(([name, one]) => {
          const value = inner(one)
          return [name, value === '1' && name.endsWith('_at') ? TIME : value]
        }),
      )
    case 'union':
      return inner(def.options[0] as z.core.$ZodType)
    case 'lazy':
      return inner(def.getter())
    case 'pipe':
      return inner(def.out)
    case 'record':
      return {}
    case 'optional':
    case 'nullable':
    case 'default':
    case 'readonly':
      return inner(def.innerType)
    default:
      return null
  }
}

/** A response that conforms to the output of an operation. Lists contain one item, and optional values are present. */
export const sampleOf = (output: Output): unknown => {
  if (output.kind === 'json') return sample(output.schema, 0)
  return 'item' in output ? [sample(output.item, 0)] : null
}
