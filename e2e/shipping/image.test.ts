/** Rules of D086 and D087 in the texts of Dockerfile and compose.yaml. container.test.ts runs the built images. */
import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { type AnySpec, root } from './rendered.js'

const text = (path: string): Promise<string> => readFile(new URL(path, root), 'utf8')
const recipe = await text('Dockerfile')

/** Stage name → its instructions, each on one line. */
const stages = (() => {
  const lines = recipe
    .replace(/^#.*\n/gm, '')
    .replace(/\\\n\s*/g, ' ')
    .split('\n')
    .filter(Boolean)
  const found = new Map<string, string[]>()
  let current: string[] = []
  for (const line of lines) {
    const from = line.match(/^FROM (\S+) AS (\S+)$/)
    if (from) {
      current = [line]
      found.set(from[2]!, current)
    } else current.push(line)
  }
  return found
})()

test('D086 the base image has a supported Node release line, defined in one place', () => {
  expect(recipe.match(/^ARG NODE_IMAGE=.*$/gm)).toEqual(['ARG NODE_IMAGE=node:24-bookworm-slim'])
  expect([...recipe.matchAll(/^FROM (\S+)/gm)].map((found) => found[1])).toEqual([
    `\${NODE_IMAGE}`,
    `\${NODE_IMAGE}`,
    `\${NODE_IMAGE}`,
    'base',
    'base',
  ])
})

test.each(['app', 'media'])('D086 %s has a fixed user id above 10,000 and copies only built output', (name) => {
  const stage = stages.get(name)!
  expect(stage).toContain('USER 10001:10001')
  expect(stage.filter((line) => line.startsWith('COPY'))).toEqual(['COPY --from=build /app /app'])
  expect(stage.indexOf('USER 10001:10001')).toBeGreaterThan(stage.findLastIndex((line) => line.startsWith('RUN')))
  expect(stage.at(-1)).toMatch(/^CMD \["serve", /)
})

test.each(['app', 'media'])('D086 %s contains no package manager', (name) => {
  const removed = [...stages.get('base')!, ...stages.get(name)!].filter((line) => line.startsWith('RUN')).join(' ')
  for (const path of [
    '/usr/local/bin/npm',
    '/usr/local/bin/npx',
    '/usr/local/bin/corepack',
    '/usr/bin/apt*',
    '/usr/bin/dpkg*',
  ])
    expect(removed.split(/\s+/)).toContain(path)
})

test('D087 packages are installed from the lock file, without their scripts', () => {
  const installs = stages.get('build')!.filter((line) => /npm (ci|install|i)\b/.test(line))
  expect(installs).toHaveLength(1)
  expect(installs[0]).toContain('npm ci --ignore-scripts')
})

test('the Dockerfile needs no frontend from a registry, and no syntax newer than Docker 20.10', () => {
  expect(recipe).not.toMatch(/^# *syntax=/m)
  expect(recipe).not.toContain('<<')
})

test('the npm registry and its certificates are secrets of one build step, in no layer', () => {
  const [install = ''] = stages.get('build')!.filter((line) => line.includes('npm ci'))
  expect(install).toMatch(/--mount=type=secret,id=npmrc,target=\S+ --mount=type=secret,id=ca /)
  expect(recipe).not.toMatch(/^(?:ARG|ENV|COPY).*(?:npmrc|registry|https?:)/im)
})

test('the image has no health check, because migrate and ctl would be unhealthy; compose checks the roles', async () => {
  expect(recipe).not.toMatch(/^HEALTHCHECK/m)
  const { services } = parse(await text('compose.yaml'), { merge: true }) as AnySpec
  for (const [name, one] of Object.entries<AnySpec>(services)) {
    const [first] = one.command ?? []
    if (first === 'serve') {
      expect([name, one.healthcheck?.test]).toEqual([name, ['CMD', 'node', '/app/bin/container-health.mjs']])
      // Only a process other than process 1 can be killed from its container.
      expect([name, one.init, one.restart, one.environment.HEALTH_PORT]).toEqual([name, true, 'unless-stopped', '9090'])
    }
    if (first === 'migrate') expect([name, one.healthcheck]).toEqual([name, { disable: true }])
  }
})

test('the Dockerfile pins all versions', () => {
  expect(recipe).not.toMatch(/:latest|\bcurl\b|\bwget\b|\bADD http/)
})

test('D086 the build context excludes history, secrets and data', async () => {
  const ignored = (await text('.dockerignore')).split('\n')
  expect(ignored).toEqual(expect.arrayContaining(['.git', '.env', '.env.*', '.data', '**/node_modules', '**/dist']))
  const { workspaces } = JSON.parse(await text('package.json')) as { workspaces: string[] }
  for (const name of workspaces.filter((one) => ignored.includes(one)))
    expect(ignored).toContain(`!${name}/package.json`)
})

test('the image has source maps of this repository only, and npm start needs none', async () => {
  expect(stages.get('base')).toContain('COPY --chmod=0755 bin/lib/container-command.sh /usr/local/bin/serve')
  const start = (await text('bin/lib/container-command.sh')).match(/^exec node .*$/m)![0]
  expect(start).not.toContain('--enable-source-maps')
  const imports = [...start.matchAll(/--import \/app\/(\S+)/g)].map((found) => found[1])
  expect(imports).toEqual(['bin/first-process.mjs', 'bin/own-source-maps.mjs', 'packages/telemetry/dist/preload.js'])
  const { productArgv } = await import(new URL('bin/lib/product.mjs', root).href)
  const argv: string[] = productArgv('node', ['gateway'])
  const here = argv.filter((_, i) => argv[i - 1] === '--import')
  // Types are removed in place, so stack traces are right without a map.
  expect(here.map((one) => one.split('/').at(-1)!.split('.')[0])).toEqual(['typescript', 'preload'])
})

test('a process of the image has the heap options of npm start', async () => {
  const { HEAP } = (await import(new URL('bin/lib/product.mjs', root).href)) as { HEAP: string[] }
  const start = (await text('bin/lib/container-command.sh')).match(/^exec node .*$/m)![0]
  expect(HEAP).not.toEqual([])
  expect(start.split(' ')).toEqual(expect.arrayContaining(HEAP))
})

test('every command of the image is a program in bin', async () => {
  const [, listed] = recipe.match(/for command in ([^;]+);/)!
  const programs = (await readdir(new URL('bin', root))).filter((name) => name.endsWith('.ts'))
  expect(programs).toEqual(expect.arrayContaining(['serve', ...listed!.split(' ')].map((name) => `${name}.ts`)))
})

test('the dependencies of the build have no cycle', async () => {
  const turbo = fileURLToPath(new URL('node_modules/.bin/turbo', root))
  const asked = promisify(execFile)(turbo, ['run', 'build', '--dry-run=json'], {
    cwd: fileURLToPath(root),
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' },
    maxBuffer: 64 * 1024 * 1024,
  })
  const { tasks } = JSON.parse((await asked).stdout) as { tasks: { taskId: string }[] }
  const services = await readdir(new URL('services', root))
  expect(tasks.map((one) => one.taskId)).toEqual(
    expect.arrayContaining(services.map((one) => `@murmuration/${one}#build`)),
  )
})

test('the build writes the programs of bin where the Dockerfile copies them', async () => {
  const { scripts } = JSON.parse(await text('package.json')) as { scripts: { build: string } }
  expect(scripts.build).toContain('tsc -p bin/tsconfig.json')
  expect(JSON.parse(await text('bin/tsconfig.json')).compilerOptions).toMatchObject({ rootDir: '.', outDir: 'dist' })
})

const compose = parse(await text('compose.yaml'), { merge: true }) as AnySpec

test('compose runs every service once, with the restrictions of a cluster', async () => {
  const served = Object.values<AnySpec>(compose.services)
    .filter((one) => one.command?.[0] === 'serve')
    .flatMap((one) => one.command.slice(1))
  expect(served.sort()).toEqual((await readdir(new URL('services', root))).sort())
  for (const name of ['edge', 'core', 'work', 'migrate', 'bus-logins'])
    expect(compose.services[name]).toMatchObject({
      user: '10001:10001',
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    })
})

test('compose publishes one port on loopback only, and has no default password', () => {
  const ports = Object.values<AnySpec>(compose.services).flatMap((one) => one.ports ?? [])
  expect(ports).toEqual(['127.0.0.1:3000:3000'])
  const { environment } = compose.services.edge
  expect(environment.SECRET_KEY_BASE).toMatch(/^\$\{SECRET_KEY_BASE:\?/)
  expect(environment.DATABASE_URL).toContain(`\${POSTGRES_PASSWORD:?`)
  expect(compose.services.postgres.environment.POSTGRES_PASSWORD).toMatch(/^\$\{POSTGRES_PASSWORD:\?/)
})

test('compose starts roles after the migrations, and the bus after its logins exist', () => {
  for (const name of ['edge', 'core', 'work'])
    expect(compose.services[name].depends_on.migrate.condition).toBe('service_completed_successfully')
  expect(compose.services.nats.depends_on['bus-logins'].condition).toBe('service_completed_successfully')
  expect(compose.configs.nats.content).toContain('sync_interval: always')
})
