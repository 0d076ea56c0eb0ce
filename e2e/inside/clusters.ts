/** Two clusters behind TLS on public-looking addresses: one.example and two.example. */
import { mkdtemp, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { createServer, type Server } from 'node:https'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Product } from '@murmuration/testkit'
import { createAuthority } from '@murmuration/testkit/outside/certificate-authority'
import { publicAddress } from '@murmuration/testkit/outside/network'
import { startWhole, TABLE } from '../product.js'

export interface Site {
  domain: string
  origin: string
  product: Product
}

/** A TLS proxy as operators have one: terminates, names the host and scheme it was asked for, passes upgrades. */
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

/** Starts both, and what stands before them. */
export const startSites = async (): Promise<{ one: Site; two: Site; certificate: string; stop(): Promise<void> }> => {
  const authority = createAuthority()
  const file = join(await mkdtemp(join(tmpdir(), 'murmuration-ca-')), 'ca.pem')
  await writeFile(file, authority.certificate)
  const start = async (domain: string, n: number): Promise<{ site: Site; proxy: Server }> => {
    const product = await startWhole({
      table: { edge: TABLE.edge, rest: [...TABLE.core, ...TABLE.work] },
      redisDatabase: n,
      env: { LOCAL_DOMAIN: domain, LOCAL_HTTPS: 'true', TRUSTED_PROXIES: '1', EXTRA_CA_FILE: file, BIND: '127.0.0.1' },
    })
    const proxy = await startProxy(publicAddress(n), product.port, authority.issue([domain]))
    return { site: { domain, origin: `https://${domain}`, product }, proxy }
  }
  const first = await start('one.example', 1)
  const second = await start('two.example', 2)
  return {
    one: first.site,
    two: second.site,
    certificate: authority.certificate,
    async stop() {
      for (const { proxy } of [first, second]) {
        proxy.closeAllConnections()
        proxy.close()
      }
      await Promise.all([first.site.product.stop(), second.site.product.stop()])
    },
  }
}
