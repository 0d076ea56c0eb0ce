/** A real S3 server for tests, behind a proxy that can simulate failures. */

import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { S3Options } from '../src/index.js'

type S3Server = { run(): Promise<AddressInfo>; close(): Promise<void> }

// The package has no types, and is CommonJS.
const S3rver = createRequire(import.meta.url)('s3rver') as new (options: object) => S3Server

/** A running bucket. `requests`: requests to the proxy as `METHOD path?query` without the bucket. */
export type Bucket = {
  options: S3Options
  requests: string[]
  /** Called for each request. If it responds and returns true, the request is not forwarded. */
  fault: { handler: ((request: IncomingMessage, response: ServerResponse) => boolean) | null }
  close(): Promise<void>
}

/** Starts the server with one empty bucket, and the proxy to which `options` connect. */
export async function startBucket(): Promise<Bucket> {
  const directory = mkdtempSync(join(tmpdir(), 'bucket-'))
  const name = 'test'
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets: [{ name, configs: [] }],
  })
  const { port } = await server.run()
  const requests: string[] = []
  const fault: Bucket['fault'] = { handler: null }

  const proxy = createServer((incoming, response) => {
    requests.push(`${incoming.method} ${incoming.url!.replace(`/${name}`, '')}`)
    if (fault.handler?.(incoming, response)) return
    const { method, url: path, headers } = incoming
    const onward = request({ host: '127.0.0.1', port, method, path, headers }, (received) => {
      response.writeHead(received.statusCode!, received.headers)
      received.pipe(response)
    })
    onward.on('error', () => response.destroy())
    // Otherwise the real server would wait for the rest of the request.
    incoming.on('close', () => incoming.complete || onward.destroy())
    incoming.pipe(onward)
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')

  return {
    options: {
      kind: 's3',
      endpoint: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
      region: 'us-east-1',
      bucket: name,
      accessKeyId: 'S3RVER',
      secretAccessKey: 'S3RVER',
      forcePathStyle: true,
    },
    requests,
    fault,
    async close() {
      proxy.closeAllConnections()
      proxy.close()
      await server.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
