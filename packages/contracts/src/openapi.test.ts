/** References of the OpenAPI document: each has a schema, and no schema refers only to itself. */
import { describe, expect, it } from 'vitest'
import { openApiDocument } from './openapi.js'

type Node = Record<string, unknown>

const document = openApiDocument({ origin: 'https://social.example' }) as {
  components: Record<string, Record<string, Node>>
}

const references = (value: unknown): string[] =>
  Array.isArray(value)
    ? value.flatMap(references)
    : typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, one]) =>
          key === '$ref' && typeof one === 'string' ? [one] : references(one),
        )
      : []

const found = (reference: string): unknown =>
  reference
    .slice(2)
    .split('/')
    .reduce<unknown>((inside, key) => (inside as Node | undefined)?.[key], document)

describe('the OpenAPI document', () => {
  it('has a schema behind every reference', () => {
    const all = [...new Set(references(document))]
    expect(all.length).toBeGreaterThan(50)
    expect(all.filter((reference) => found(reference) === undefined)).toEqual([])
  })

  it('has no schema that only refers to itself', () => {
    const empty = Object.entries(document.components.schemas ?? {}).filter(
      ([name, schema]) => schema.$ref === `#/components/schemas/${name}`,
    )
    expect(empty.map(([name]) => name)).toEqual([])
  })

  it('contains the members of a status', () => {
    const status = document.components.schemas?.Status as { properties?: Node }
    expect(Object.keys(status.properties ?? {})).toEqual(expect.arrayContaining(['id', 'content', 'account', 'reblog']))
  })

  it('shows only integers for numbers whose text the handler refuses', () => {
    const at = (node: unknown, ...names: string[]) =>
      names.reduce((inside, name) => (inside as Node | undefined)?.[name], node)
    const bodyOf = (path: string) =>
      at(document, 'paths', path, 'post', 'requestBody', 'content', 'application/json', 'schema', 'properties')
    const all = [
      at(bodyOf('/api/v1/accounts/{id}/mute'), 'duration'),
      at(bodyOf('/api/v2/filters'), 'expires_in'),
      at(bodyOf('/api/v1/statuses'), 'poll', 'anyOf', '0', 'properties', 'expires_in'),
    ].map((schema) => JSON.stringify(schema))
    for (const schema of all) {
      expect(schema).toContain('{"type":"integer"},{"type":"string","pattern":"^-?\\\\d{1,15}$"}')
      expect(schema).not.toMatch(/boolean|number/)
    }
  })

  it('contains the pages at paths of the API', () => {
    const { paths } = document as unknown as { paths: Record<string, Record<string, { security: unknown }>> }
    const listed: [string, string][] = [
      ['/oauth/authorize', 'get'],
      ['/oauth/authorize', 'post'],
      ['/oauth/authorize', 'delete'],
      ['/oauth/authorize/native', 'get'],
      ['/oauth/authorized_applications', 'get'],
      ['/oauth/authorized_applications/{id}', 'delete'],
    ]
    for (const [path, method] of listed)
      expect(paths[path]?.[method]?.security, `${method} ${path}`).toEqual([{ session: [] }])
  })
})
