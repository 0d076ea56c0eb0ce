/** The comparison of two descriptions: what is missing is said once, and nothing else is. */
import { describe, expect, it } from 'vitest'
import { type Description, differences } from './differences.js'

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
  it('finds none between equal ones, whatever the parameters of paths are called', () => {
    const ours = describing({ id: text })
    const [path] = Object.values(ours.paths)
    expect(differences({ ...ours, paths: { '/api/v1/statuses/{status_id}': path ?? {} } }, ours)).toEqual([])
  })

  it('names missing operations, inputs, keys and scopes', () => {
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

  it('follows lists, alternatives, maps with known keys, and entities that hold themselves', () => {
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

  it('names types that nobody was promised, through references and alternatives', () => {
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
    expect(differences(ours, theirs)).toEqual(['Status.id: may be null', 'Status.kind: may be integer'])
  })
})
