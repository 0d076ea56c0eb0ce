/** Events and jobs of a newer release: further members are ignored, and further values of a closed list do not refuse an event. */
import { expect, test } from 'vitest'
import { z } from 'zod'
import { asFailure, Failure, fail, isRetryable, isTrouble, meaningOf } from '../src/kit/index.js'
import { allEvents, allJobs } from '../src/registry.js'
import { statusCreated } from '../src/statuses/index.js'

interface Def {
  readonly type: string
  readonly catchall?: z.ZodType
  readonly shape?: Readonly<Record<string, z.ZodType>>
  readonly element?: z.ZodType
  readonly innerType?: z.ZodType
  readonly options?: readonly z.ZodType[]
  readonly valueType?: z.ZodType
  readonly in?: z.ZodType
}

/** Paths of the parts of a schema that refuse what a newer release may send. */
const refusing = (schema: z.ZodType, path: string, kinds: readonly string[]): string[] => {
  const def = schema.def as unknown as Def
  // A value that does not match is replaced.
  if (def.type === 'catch') return []
  const isStrict = def.catchall !== undefined && (def.catchall.def as unknown as Def).type === 'never'
  const own = isStrict ? [`${path} strict`] : kinds.includes(def.type) ? [`${path} ${def.type}`] : []
  const parts = [
    ...Object.entries(def.shape ?? {}).map(([name, one]) => [`${path}.${name}`, one] as const),
    ...[def.element, def.innerType, def.valueType, def.in, ...(def.options ?? [])].map((one) => [path, one] as const),
  ]
  return [...own, ...parts.flatMap(([name, one]) => (one === undefined ? [] : refusing(one, name, kinds)))]
}

test('no event refuses further members, or further values of a closed list', () => {
  expect(allEvents().length).toBeGreaterThan(50)
  expect(allEvents().flatMap((one) => refusing(one.data, one.name, ['enum', 'literal']))).toEqual([])
  expect(refusing(z.strictObject({ of: z.array(z.enum(['a'])) }), 'x', ['enum'])).toEqual(['x strict', 'x.of enum'])
})

test('no job refuses further members', () => {
  expect(allJobs().length).toBeGreaterThan(50)
  expect(allJobs().flatMap((one) => refusing(one.data, one.name, []))).toEqual([])
})

test('a visibility of a newer release is read as the narrowest one', () => {
  const created = {
    ...{ id: '1', author: '2', local: true, visibility: 'circle', reblogOf: null, reblogOfAuthor: null, added: 1 },
    ...{ reblogOfLocal: false, uri: 'https://here.example/1', inReplyTo: null, inReplyToAuthor: null, mentions: [] },
    ...{ conversation: '1', language: null, tags: [], hasMedia: false, push: true },
  }
  expect(statusCreated.data.parse(created)).toMatchObject({ visibility: 'direct' })
  expect(statusCreated.data.parse({ ...created, visibility: 'unlisted' })).toMatchObject({ visibility: 'unlisted' })
})

test('an error code of a newer release keeps its status, and is retried', () => {
  const { text } = fail('not_found', 'Record not found')
  const failure = new Failure('overdue' as 'conflict', text, { status: 425 })
  expect([failure.status, isRetryable(failure), isTrouble(failure), asFailure(failure)]).toEqual([
    425,
    true,
    true,
    failure,
  ])
  expect(new Failure('constructor' as 'conflict', text).status).toBe(500)
  expect(meaningOf('overdue' as 'conflict')).toEqual({ status: 500, retry: true, log: 'warn' })
})
