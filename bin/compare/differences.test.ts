/** The comparison of two OpenAPI descriptions reports each difference once. */
import { describe, expect, it } from 'vitest'
import { type Described, type Description, differences, type Schema } from './differences.js'

const describing = (status: object, more: object = {}): Description => ({
  paths: {
    '/api/v1/statuses/{id}': {
      get: {
        parameters: [{ name: 'id', in: 'path' }],
        responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Status' } } } } },
        ...more,
      },
    },
  },
  components: { schemas: { Status: { type: 'object', properties: status } } },
})
const text = { type: 'string' }

describe('differences', () => {
  it('finds none between equal descriptions, also with other names of path parameters', () => {
    const ours = describing({ id: text })
    const [path] = Object.values(ours.paths)
    expect(differences({ ...ours, paths: { '/api/v1/statuses/{status_id}': path ?? {} } }, ours)).toEqual([])
  })

  it('reports missing operations, inputs, members and scopes', () => {
    const theirs = describing(
      { id: text, poll: { type: 'object', properties: { votes: text } } },
      { parameters: [{ name: 'limit', in: 'query' }], security: [{ oauth: ['read:statuses'] }] },
    )
    const ours = describing({ id: text, poll: { type: 'object', properties: {} } })
    expect(differences(ours, theirs)).toEqual([
      'GET /api/v1/statuses/{}: takes no limit',
      'Status.poll: has no votes',
      'GET /api/v1/statuses/{}: is not open to read:statuses',
    ])
    expect(differences({ paths: {} }, ours)).toEqual(['GET /api/v1/statuses/{}: is missing'])
  })

  it('follows lists, alternatives, maps with known keys, and recursive entities', () => {
    const reblog = { oneOf: [{ $ref: '#/components/schemas/Status' }, { type: 'null' }] }
    const theirs = describing({
      reblog,
      tags: { type: 'array', items: { properties: { name: text } } },
      alerts: { properties: { poll: text } },
    })
    const ours = describing({
      reblog,
      tags: { items: { properties: {} } },
      alerts: { propertyNames: { enum: ['poll'] } },
    })
    expect(differences(ours, theirs)).toEqual(['Status.tags: has no name'])
  })

  it('reports types that the other description excludes, through references and alternatives', () => {
    const theirs = describing({
      id: text,
      author: { oneOf: [{ $ref: '#/components/schemas/Status' }, { type: 'null' }] },
      size: { type: 'number' },
      free: {},
      kind: { enum: ['a'] },
    })
    const ours = describing({
      id: { type: ['string', 'null'] },
      author: { anyOf: [{ $ref: '#/components/schemas/Status' }, { type: 'null' }] },
      size: { type: 'integer' },
      free: text,
      kind: { const: 1 },
    })
    expect(differences(ours, theirs)).toEqual([
      'Status.id: may be null',
      'Status.kind: may be integer',
      'Status.kind: never says a',
    ])
  })

  it('reports members that may be absent although every alternative requires them', () => {
    const theirs: Description = describing({
      id: text,
      url: text,
      poll: { properties: { votes: text }, required: ['votes'] },
    })
    const status = theirs.components as { schemas: Record<string, Schema> }
    status.schemas.Status = { ...status.schemas.Status, required: ['id', 'url', 'poll'] }
    const ours = describing({
      id: text,
      url: text,
      poll: { anyOf: [{ allOf: [{ properties: { votes: text } }, { required: ['votes'] }] }, { type: 'null' }] },
    })
    const found = ours.components as { schemas: Record<string, Schema> }
    found.schemas.Status = { ...found.schemas.Status, required: ['id'] }
    expect(differences(ours, theirs)).toEqual(['Status: does not always have poll', 'Status: does not always have url'])
    // Of two alternatives, only common members are promised.
    const either = { oneOf: [{ $ref: '#/components/schemas/Status' }, { properties: { id: text }, required: ['id'] }] }
    const answering = (schema: Schema): Described => ({ responses: { 200: { content: { any: { schema } } } } })
    const both = (schema: Schema, of: Description) => ({ ...of, paths: { '/x': { get: answering(schema) } } })
    expect(differences(both(either, ours), both(either, theirs))).toEqual([])
  })

  it('reports enum values that only one side has, also in lists; an open enum of the other side is no promise', () => {
    const visibility = (...values: string[]) => ({ enum: [...values, null] })
    const theirs = describing({
      visibility: visibility('public', 'direct'),
      kind: { type: 'string', enum: ['a'] },
      context: { type: 'array', items: { enum: ['home', 'thread'] } },
      free: text,
    })
    const ours = describing({
      visibility: { anyOf: [{ const: 'public' }, visibility('limited')] },
      kind: text,
      context: { type: 'array', items: { enum: ['home', 'account'] } },
      free: { enum: ['b'] },
    })
    expect(differences(ours, theirs)).toEqual([
      'Status.visibility: never says direct',
      'Status.visibility: may say limited',
      'Status.kind: may say anything',
      'Status.context: never says thread',
      'Status.context: may say account',
    ])
  })
})
