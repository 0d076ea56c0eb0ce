/** Plain HTTP server for the routes of federation: passes on what the gateway would, without limits, shedding or pages. */
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import * as contracts from '@murmuration/contracts/federation'
import type { AnyOperation } from '@murmuration/contracts/kit'
import { type App, type BaseContext, createSendRequest, type SendRequest, service } from '@murmuration/kernel'
import { PATIENT_REQUEST_MS } from '@murmuration/testkit'

const isOperation = (value: unknown): value is AnyOperation =>
  typeof value === 'object' && value !== null && (value as { kind?: unknown }).kind === 'operation'
const routed = Object.values(contracts)
  .filter(isOperation)
  .filter((one) => one.http.length > 0)

const namesIn = (path: string): number => path.split('/:').length

/** Literal paths match before paths with parameters, as in the gateway. */
const routes = routed
  .flatMap((operation) => operation.http.map(({ method, path }) => ({ operation, method, path })))
  .toSorted((a, b) => namesIn(a.path) - namesIn(b.path))
  .map(({ operation, method, path }) => ({
    operation,
    method,
    pattern: new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/:(\w+)/g, '(?<$1>[^/]+)')}$`),
  }))

const bodyOf = async (req: IncomingMessage): Promise<Buffer> =>
  Buffer.concat(await Array.fromAsync(req as AsyncIterable<Buffer>))

const refuse = (res: ServerResponse, status: number): void => {
  res.writeHead(status)
  res.end()
}

const serve = async (request: SendRequest, req: IncomingMessage, res: ServerResponse): Promise<void> => {
  const target = req.url ?? '/'
  const { pathname, searchParams } = new URL(target, 'http://here.invalid')
  const route = routes.find((one) => one.method === req.method && one.pattern.test(pathname))
  if (!route) return refuse(res, 404)
  const { operation } = route
  const body = await bodyOf(req)
  const text = body.toString('utf8')
  if (Buffer.byteLength(text) !== body.length) return refuse(res, 400)
  if (body.length > operation.rawBody && req.method === 'POST') return refuse(res, 413)
  const raw = {
    method: req.method,
    target,
    headers: req.headers,
    ip: '127.0.0.1',
    ...(body.length > 256_000 ? { gzip: gzipSync(body).toString('base64') } : { body: text }),
  }
  const query = Object.fromEntries(searchParams)
  const input = { ...query, ...(operation.rawBody > 0 ? raw : {}), ...route.pattern.exec(pathname)?.groups }
  const answer = await request(operation, JSON.stringify(input), {
    remainingMs: PATIENT_REQUEST_MS,
    caller: null,
    requestId: randomUUID(),
    commandId: null,
    idempotencyKey: null,
    locale: '',
    traceparent: '',
  })
  const type = answer.meta.code || operation.output.kind !== 'raw' ? 'application/json' : operation.output.contentType
  res.writeHead(answer.meta.status, { 'Content-Type': type, ...answer.meta.headers })
  res.end(answer.bytes)
}

/** Listens on the port of the test's cluster. */
export const httpServer: App = {
  manifest: service('gateway', {
    database: false,
    calls: routed,
    roles: { http: { scales: '', needs: [] } },
  }),
  async createContext(base: BaseContext) {
    const request = createSendRequest(base.nc)
    const server = createServer((req, res) => {
      serve(request, req, res).catch((error: { status?: number }) => refuse(res, error.status ?? 500))
    })
    await new Promise<void>((resolve) => server.listen(Number(new URL(base.site.origin).port), '127.0.0.1', resolve))
    base.onClose('http server', () => {
      server.closeAllConnections()
      server.close()
    })
    return base
  },
}
