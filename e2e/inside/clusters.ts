/** Clusters behind TLS proxies on public IP addresses, as operators run them. */
import { mkdtemp, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { createServer, type Server } from 'node:https'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Product } from '@murmuration/testkit'
import { type Authority, createAuthority } from '@murmuration/testkit/outside/certificate-authority'
import { publicAddress } from '@murmuration/testkit/outside/network'
import { startWhole, TABLE } from '../product.js'

export interface Site {
  domain: string
  origin: string
  product: Product
}

/** A TLS proxy: forwards requests with `X-Forwarded-*` headers, and passes WebSocket upgrades. */
const startProxy = async (address: string, port: number, tls: { key: string; cert: string }): Promise<Server> => {
  const server = createServer(tls, (req, res) => {
    const headers = {
      ...req.headers,
      'x-forwarded-proto': 'https',
      'x-forwarded-host': req.headers.host ?? '',
      'x-forwarded-for': req.socket.remoteAddress ?? '',
    }
    const inner = request({ host: '127.0.0.1', port, method: req.method, path: req.url, headers }, (answer) => {
      res.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
      answer.pipe(res)
    })
    inner.on('error', () => {
      if (!res.headersSent) res.writeHead(502)
      res.end()
    })
    req.pipe(inner)
  })
  server.on('upgrade', (req, socket, head) => {
    const inner = connect(port, '127.0.0.1', () => {
      const lines = [`${req.method} ${req.url} HTTP/1.1`]
      for (let i = 0; i < req.rawHeaders.length; i += 2) lines.push(`${req.rawHeaders[i]}: ${req.rawHeaders[i + 1]}`)
      inner.write(`${lines.join('\r\n')}\r\n\r\n`)
      inner.write(head)
      inner.pipe(socket)
      socket.pipe(inner)
    })
    inner.on('error', () => socket.destroy())
    socket.on('error', () => inner.destroy())
  })
  await new Promise<void>((resolve) => server.listen(443, address, resolve))
  return server
}

export interface Trust {
  authority: Authority
  /** Path of the root certificate. */
  file: string
}

export const startTrust = async (): Promise<Trust> => {
  const authority = createAuthority()
  const file = join(await mkdtemp(join(tmpdir(), 'murmuration-ca-')), 'ca.pem')
  await writeFile(file, authority.certificate)
  return { authority, file }
}

/** Starts a cluster and its proxy at the n-th address of the network. */
export const startSite = async (
  domain: string,
  n: number,
  { authority, file }: Trust,
  env: Record<string, string> = {},
): Promise<Site & { stop(): Promise<void> }> => {
  const product = await startWhole({
    table: { edge: TABLE.edge, rest: [...TABLE.core, ...TABLE.work] },
    // Above the numbers of the test workers.
    redisDatabase: n + 3,
    env: {
      LOCAL_DOMAIN: domain,
      LOCAL_HTTPS: 'true',
      TRUSTED_PROXIES: '1',
      EXTRA_CA_FILE: file,
      BIND: '127.0.0.1',
      ...env,
    },
  })
  const proxy = await startProxy(publicAddress(n), product.port, authority.issue([domain]))
  return {
    domain,
    origin: `https://${domain}`,
    product,
    async stop() {
      proxy.closeAllConnections()
      proxy.close()
      await product.stop()
    },
  }
}

/** Starts two sites. */
export const startSites = async (): Promise<{ one: Site; two: Site; certificate: string; stop(): Promise<void> }> => {
  const trust = await startTrust()
  const one = await startSite('one.example', 1, trust)
  const two = await startSite('two.example', 2, trust)
  return {
    one,
    two,
    certificate: trust.authority.certificate,
    stop: async () => {
      await Promise.all([one.stop(), two.stop()])
    },
  }
}
