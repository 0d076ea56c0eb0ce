/** The OpenAPI 3.1 document, generated from the declarations of operations, pages and streams. */
import { z } from 'zod'
import {
  type AnyOperation,
  type BrowserPage,
  ERROR_CODES,
  type EventStream,
  meaningOf,
  type Route,
  VERSION,
} from './kit/index.js'
import { allBrowserPages, allEventStreams, routedOperations } from './registry.js'

type Schema = Record<string, unknown>

/** Returns a function that converts zod schemas. Schemas with an id become components, to which other schemas refer. */
const converter = () => {
  const components: Record<string, Schema> = {}
  const convert = (schema: z.ZodType, io: 'input' | 'output'): Schema => {
    const made = z.toJSONSchema(schema, {
      io,
      unrepresentable: 'any',
      reused: 'inline',
      target: 'draft-2020-12',
    }) as Schema & { $defs?: Record<string, Schema> }
    const { $schema: _schema, $defs, ...rest } = made
    for (const [name, definition] of Object.entries($defs ?? {})) components[name] = relink(definition) as Schema
    const id = z.globalRegistry.get(schema)?.id
    if (io === 'output' && id) {
      // A recursive schema is among its own definitions already. In that case `rest` only refers to the schema.
      if (rest.$ref === undefined) components[id] = relink(rest) as Schema
      return { $ref: `#/components/schemas/${id}` }
    }
    return relink(rest) as Schema
  }
  return { components, convert }
}

const relink = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(relink)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) =>
      key === 'id' && typeof one === 'string' && 'type' in value
        ? []
        : [
            [
              key,
              key === '$ref' && typeof one === 'string'
                ? one.replace('#/$defs/', '#/components/schemas/')
                : relink(one),
            ],
          ],
    ),
  )
}

const parametersIn = (path: string): string[] => [...path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '')
const templated = (path: string): string => path.replace(/:(\w+)/g, '{$1}')

const responseOf = (operation: AnyOperation, convert: (schema: z.ZodType, io: 'output') => Schema): Schema => {
  const { output } = operation
  if (output.kind === 'raw')
    return { description: operation.about, content: { [output.contentType]: { schema: { type: 'string' } } } }
  const schema =
    output.kind === 'page'
      ? { type: 'array', items: convert(output.item, 'output') }
      : convert(output.kind === 'json' ? output.schema : output.item, 'output')
  return {
    description: operation.about,
    ...(output.kind === 'page'
      ? { headers: { Link: { description: 'Next and previous page.', schema: { type: 'string' } } } }
      : {}),
    content: { 'application/json': { schema } },
  }
}

/** OpenAPI entry of a page that the gateway serves. */
const pageEntry = (page: BrowserPage, { method, path }: Route, convert: ReturnType<typeof converter>['convert']) => {
  const input = convert(page.input, 'input') as { properties?: Record<string, Schema>; required?: string[] }
  const inPath = parametersIn(path)
  const rest = Object.entries(input.properties ?? {}).filter(([name]) => !inPath.includes(name))
  const content = {
    'text/html': { schema: { type: 'string' } },
    ...(page.json ? { 'application/json': { schema: convert(page.json, 'output') } } : {}),
  }
  const form = { schema: { type: 'object', properties: Object.fromEntries(rest) } }
  return {
    operationId: `${page.name}.${method.toLowerCase()}`,
    tags: ['gateway'],
    summary: page.about,
    security: page.session ? [{ session: [] }] : [],
    'x-auth': page.session ? 'session' : 'anyone',
    'x-scopes': [],
    parameters: [
      ...inPath.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
      ...(method === 'POST'
        ? []
        : rest.map(([name, schema]) => ({
            name,
            in: 'query',
            required: input.required?.includes(name) ?? false,
            schema,
          }))),
    ],
    ...(method === 'POST' ? { requestBody: { content: { 'application/x-www-form-urlencoded': form } } } : {}),
    responses: Object.fromEntries(
      Object.entries(page.responses).map(([status, description]) => [
        status,
        status === '200' ? { description, content } : { description },
      ]),
    ),
  }
}

/** OpenAPI entry of a path that the streaming service serves: an open connection, or a health check. */
const streamEntry = (stream: EventStream, convert: ReturnType<typeof converter>['convert']) => {
  const input = convert(stream.input, 'input') as { properties?: Record<string, Schema>; required?: string[] }
  const body = { [stream.contentType]: { schema: { type: 'string' } } }
  const opened =
    stream.contentType === 'websocket'
      ? { 101: { description: stream.about }, 301: { description: 'Streaming has another address.' } }
      : { 200: { description: stream.about, content: body } }
  return {
    operationId: stream.name,
    tags: ['streaming'],
    summary: stream.about,
    security: stream.viewer.kind === 'anyone' ? [] : [{ oauth: [...stream.viewer.scopes] }],
    'x-auth': stream.viewer.kind,
    'x-scopes': stream.viewer.scopes,
    parameters: Object.entries(input.properties ?? {}).map(([name, schema]) => ({
      name,
      in: 'query',
      required: input.required?.includes(name) ?? false,
      schema,
    })),
    responses: {
      ...opened,
      ...(stream.viewer.kind === 'anyone' ? {} : { 401: { $ref: '#/components/responses/Refusal' } }),
    },
  }
}

/** Returns the OpenAPI document for one server. */
export const openApiDocument = ({ origin }: { origin: string }): Schema => {
  const { components, convert } = converter()
  const paths: Record<string, Record<string, unknown>> = {}
  for (const operation of routedOperations())
    for (const route of operation.http) {
      const input = convert(operation.input, 'input') as { properties?: Record<string, Schema>; required?: string[] }
      const inPath = parametersIn(route.path)
      const rest = Object.entries(input.properties ?? {}).filter(([name]) => !inPath.includes(name))
      const reads = route.method === 'GET' || route.method === 'DELETE'
      const failures = [
        ...new Set([
          'unauthenticated',
          'forbidden',
          'not_found',
          'unprocessable',
          'rate_limited',
          ...operation.errors,
        ] as const),
      ]
      const path = templated(route.path)
      paths[path] ??= {}
      paths[path][route.method.toLowerCase()] = {
        operationId: `${operation.name}.${route.method.toLowerCase()}${operation.http.indexOf(route) || ''}`,
        tags: [operation.service],
        summary: operation.about,
        ...(route.deprecated ? { deprecated: true } : {}),
        security:
          operation.viewer.kind === 'anyone'
            ? []
            : [...(operation.viewer.kind === 'optional' ? [{}] : []), { oauth: [...operation.viewer.scopes] }],
        'x-auth': operation.viewer.kind,
        'x-scopes': operation.viewer.scopes,
        parameters: [
          ...inPath.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
          ...(reads
            ? rest.map(([name, schema]) => ({
                name,
                in: 'query',
                required: input.required?.includes(name) ?? false,
                schema,
              }))
            : []),
        ],
        ...(!reads && rest.length
          ? {
              requestBody: {
                content: Object.fromEntries(
                  ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'].map((type) => [
                    type,
                    {
                      schema: {
                        type: 'object',
                        properties: Object.fromEntries(rest),
                        required: (input.required ?? []).filter((name) => !inPath.includes(name)),
                      },
                    },
                  ]),
                ),
              },
            }
          : {}),
        responses: {
          200: responseOf(operation, convert),
          ...Object.fromEntries(
            failures.map((code) => [meaningOf(code).status, { $ref: '#/components/responses/Refusal' }]),
          ),
        },
      }
    }
  for (const page of allBrowserPages())
    for (const route of page.http) {
      const path = templated(route.path)
      paths[path] ??= {}
      paths[path][route.method.toLowerCase()] = pageEntry(page, route, convert)
    }
  for (const stream of allEventStreams()) {
    const path = templated(stream.http.path)
    paths[path] ??= {}
    paths[path][stream.http.method.toLowerCase()] = streamEntry(stream, convert)
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Murmuration',
      version: VERSION,
      description: 'The client API and the public documents of a Murmuration server.',
      license: { name: 'AGPL-3.0-or-later', identifier: 'AGPL-3.0-or-later' },
    },
    servers: [{ url: origin }],
    paths,
    components: {
      schemas: {
        ...components,
        Error: {
          type: 'object',
          required: ['error'],
          properties: {
            error: {},
            code: { enum: ERROR_CODES },
            request_id: { type: 'string' },
            error_description: { type: 'string' },
          },
        },
      },
      responses: {
        Refusal: {
          description: 'A refusal.',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
        },
      },
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: origin.startsWith('https:') ? '__Host-murmuration_session' : 'murmuration_session',
          description: 'Session cookie of a signed-in browser.',
        },
        oauth: {
          type: 'oauth2',
          flows: {
            authorizationCode: {
              authorizationUrl: `${origin}/oauth/authorize`,
              tokenUrl: `${origin}/oauth/token`,
              scopes: {},
            },
          },
        },
      },
    },
  }
}
