// The test network: TLS by name on public-looking addresses, no way out, nothing left behind.
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { isPublicAddress } from '@murmuration/outbound/address'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAuthority } from './certificate-authority.js'
import { request } from './http-client.js'
import { type Network, publicAddress, startNetwork } from './network.js'
import { fetchInside } from './network-fetch.js'
import { startRemoteServer } from './remote-server.js'

const run = promisify(execFile)
const authority = createAuthority()
let network: Network
let server: ReturnType<Network['spawn']>

/** Runs a program inside and returns what it printed as JSON. */
const runInside = async (program: string, env: Record<string, string> = {}): Promise<unknown> => {
  const [file, ...args] = network.wrap([process.execPath, '--input-type=module', '-e', program])
  const { stdout } = await run(file!, args, { env: { ...process.env, ...env }, timeout: 10_000 })
  return JSON.parse(stdout)
}

beforeAll(async () => {
  network = await startNetwork({
    hosts: { [publicAddress(1)]: ['one.example'], [publicAddress(2)]: ['two.example', 'www.two.example'] },
  })
  const tls = authority.issue(['two.example', 'www.two.example'])
  const program = `import { createServer } from 'node:https'
    createServer(JSON.parse(process.env.TLS), (request, response) => response.end('hello ' + request.headers.host))
      .listen(443, '${publicAddress(2)}', () => console.log('ready'))`
  server = network.spawn([process.execPath, '--input-type=module', '-e', program], {
    env: { ...process.env, TLS: JSON.stringify(tls) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(server.stdout!, 'data')
})
afterAll(() => network.close())

test('the addresses are public in the eyes of the guard', () => {
  expect([1, 2, 254].map((n) => isPublicAddress(publicAddress(n)))).toEqual([true, true, true])
  expect(() => publicAddress(0)).toThrow('between 1 and 254')
})

test('inside, a server on port 443 is reached by its name through getaddrinfo, and its certificate is checked', async () => {
  const program = `import { get } from 'node:https'
    get('https://two.example/', (response) => {
      const address = response.socket.remoteAddress
      response.on('data', (text) => console.log(JSON.stringify({ address, text: String(text) })))
    }).on('error', (error) => console.log(JSON.stringify({ code: error.code })))`
  const dir = await mkdtemp(join(tmpdir(), 'murmuration-ca-'))
  const file = join(dir, 'ca.pem')
  await writeFile(file, authority.certificate)
  expect(await runInside(program, { NODE_EXTRA_CA_CERTS: file })).toEqual({
    address: publicAddress(2),
    text: 'hello two.example',
  })
  expect(await runInside(program)).toMatchObject({ code: expect.stringMatching(/ISSUER|SELF_SIGNED|VERIFY/) })
  await rm(dir, { recursive: true })
})

test('from outside, the test reaches the network with any of the clients', async () => {
  const { openSocket } = network
  const reply = await request('https://two.example/', { openSocket, ca: authority.certificate })
  expect([reply.status, reply.text]).toEqual([200, 'hello two.example'])
  const inside = fetchInside(network, authority.certificate)
  expect(await (await inside.fetch('https://www.two.example/')).text()).toBe('hello www.two.example')
  await expect(inside.fetch('https://one.example/')).rejects.toThrow('fetch failed')
  await expect(request('https://nobody.example/', { openSocket, ca: authority.certificate })).rejects.toThrow()
  await inside.close()
})

test('from inside, servers of the test are reached at an address of the network, with their own certificate', async () => {
  const remote = await startRemoteServer({
    name: 'one.example',
    publicPort: 443,
    tls: authority.issue(['one.example']),
  })
  await network.expose({ host: publicAddress(1), port: 443 }, remote)
  const carol = await remote.addActor('carol')
  expect(carol.id).toBe('https://one.example/users/carol')
  const program = `import { get } from 'node:https'
    get({ host: 'one.example', path: '/users/carol', ca: process.env.CA }, (response) =>
      response.on('data', (text) => console.log(text.toString())))`
  expect(await runInside(program, { CA: authority.certificate })).toMatchObject({ id: carol.id })
  const taken = network.expose({ host: publicAddress(1), port: 443 }, remote)
  await expect(taken).rejects.toThrow('EADDRINUSE')
  await remote.close()
})

test('nothing gets out, and unknown names fail at once', async () => {
  const program = `import { lookup } from 'node:dns/promises'
    import { connect } from 'node:net'
    const began = performance.now()
    const name = await lookup('elsewhere.example').catch((error) => error.code)
    const address = await new Promise((resolve) => connect(443, '45.61.1.1').on('error', (error) => resolve(error.code)))
    console.log(JSON.stringify({ name, address, quick: performance.now() - began < 2000 }))`
  const { name, ...rest } = (await runInside(program)) as Record<string, unknown>
  expect(['EAI_AGAIN', 'ENOTFOUND']).toContain(name)
  expect(rest).toEqual({ address: 'ENETUNREACH', quick: true })
})

test('outside, nothing changed, and closing ends what runs inside', async () => {
  expect(await readFile('/etc/hosts', 'utf8')).not.toContain('two.example')
  const other = await startNetwork({ hosts: { [publicAddress(3)]: ['three.example'] } })
  const sleeper = other.spawn([process.execPath, '-e', 'setInterval(() => {}, 1000)'])
  await once(sleeper, 'spawn')
  await other.close()
  expect(sleeper.signalCode).toBe('SIGTERM')
  await expect(startNetwork({ hosts: { 'three.example': [] } })).rejects.toThrow('is not an IPv4 address')
})
