/** Commands in the runbooks run as written: `ctl` accepts their arguments, and `kubectl` and `helm` find what they name. */
import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { runCommandLine } from '../../bin/control/program.js'
import { objectsOf } from '../../helm/render.js'
import { type AnySpec, enough, helm, keyOf, lookUp, OVERLAYS, render, roles, root } from './rendered.js'

const text = (path: string): Promise<string> => readFile(new URL(path, root), 'utf8')

/** Programs that the runbooks may use. Every other word at the beginning of code is no command. */
const PROGRAMS = ['ctl', 'bin/ctl', 'kubectl', 'helm', 'docker', 'node', 'npm', 'nats', 'psql', 'redis-cli', 'curl']
/** Words of the pages that stand for a value, and one such value. */
const VALUES: readonly (readonly [RegExp, string])[] = [
  [/\bSERVICE-ROLE\b/g, 'statuses-api'],
  [/\bSERVICE\b/g, 'statuses'],
  [/\bCONSUMER\b/g, 'statuses_fan-out'],
  [/\bPOD\b/g, 'murmuration-statuses-api-7d4b9c-x2x4z'],
  [/\bID …|\bID\b/g, '1'],
  [/\bTIME\b/g, '2026-12-31T18:00Z'],
  [/\b(?:OUR_)?HOST\b/g, 'other.example'],
  [/\bADDRESS\b/g, 'https://social.example/@alice/1'],
  [/\bOWNER\b|\bAUTHOR\b|\bFOLLOWER\b/g, 'alice'],
]

interface Typed {
  page: string
  /** The code as the page shows it. */
  code: string
  /** The command with values instead of placeholders. */
  line: string
}

/** Commands in code of the runbooks. */
const typedCommands = async (): Promise<Typed[]> => {
  const pages = await readdir(new URL('docs/runbooks', root))
  const texts = await Promise.all(pages.map((page) => text(`docs/runbooks/${page}`)))
  return texts.flatMap((found, n) =>
    [...found.matchAll(/`([^`\n]+)`|^ {4}(?:alias \w+=')?([a-z][^\n]*)/gm)]
      .map(([, inline, block]) => (inline ?? block ?? '').trim().replace(/'$/, inline ? "'" : ''))
      .filter((code) => PROGRAMS.includes(code.split(' ')[0] ?? ''))
      .map((code) => ({
        page: pages[n] ?? '',
        code,
        line: VALUES.reduce((line, [word, value]) => line.replace(word, value), code),
      })),
  )
}
const commands = await typedCommands()
const of = (...programs: string[]) => commands.filter(({ line }) => programs.includes(line.split(' ')[0] ?? ''))
const shown = ({ page, code }: Typed): string => `${page}: ${code}`

/** Words of a command line, up to the first pipe. Quotes are removed. */
const wordsOf = (line: string): string[] =>
  [...(line.split(' | ')[0] ?? '').matchAll(/"[^"]*"|'[^']*'|\S+/g)].map(([word]) => word.replace(/^["']|["']$/g, ''))

/** Message of the command line for wrong arguments; empty for arguments with which it would connect. */
const refusalOf = async (line: string): Promise<string> => {
  let refusal = ''
  const status = await runCommandLine(wordsOf(line).slice(1), {
    connect: () => Promise.reject(new Error('only checked')),
    write: () => undefined,
    writeError: (error) => {
      refusal += error
    },
  })
  return status === 2 ? refusal : ''
}

/** Refusals of a command without its arguments or required flags, and of a noun without a verb. */
const NEEDS_MORE = /missing required argument|required option|--confirm|^Usage/
/** A noun, or a verb without its arguments, names a command in a sentence. Its arguments are not checked. */
const isName = (line: string): boolean => wordsOf(line).length <= 3 && !wordsOf(line).some((word) => /\d|^-/.test(word))

test('ctl accepts the arguments of each command', async () => {
  const typed = of('ctl', 'bin/ctl')
  expect(typed.length).toBeGreaterThan(30)
  const refusals = await Promise.all(typed.map(async (one) => ({ one, refusal: await refusalOf(one.line) })))
  const wrong = refusals.filter(({ one, refusal }) => refusal !== '' && !(isName(one.line) && NEEDS_MORE.test(refusal)))
  expect(wrong.map(({ one, refusal }) => `${shown(one)}: ${refusal}`)).toEqual([])
})

test('no command needs the program nats, whose login the pages would have to explain', () => {
  expect(of('nats').map(shown)).toEqual([])
})

/** Objects of the chart and of the stores. */
const objects = [
  ...(await Promise.all(OVERLAYS.map(lookUp))).flatMap((one) => one.objects),
  ...(
    await Promise.all(
      (
        await readdir(new URL('k8s/stores', root))
      )
        .filter((name) => name.endsWith('.yaml'))
        .map((name) => text(`k8s/stores/${name}`)),
    )
  ).flatMap(objectsOf),
]
const KINDS: Record<string, string> = {
  deploy: 'Deployment',
  deployment: 'Deployment',
  statefulset: 'StatefulSet',
  job: 'Job',
}
const templates = objects.flatMap((object) => {
  const { template } = (object.spec ?? {}) as AnySpec
  return template ? [{ name: object.metadata.name, kind: object.kind, template }] : []
})

/** The kind and name that a command of kubectl names, if it names one: `deploy/NAME` or `deploy NAME`. */
const namedBy = (words: readonly string[]): { kind: string; name: string } | null => {
  for (const [n, word] of words.entries()) {
    const [kind = '', name = ''] = word.includes('/') ? word.split('/') : [word, words[n + 1]]
    if (KINDS[kind] && name && !name.startsWith('-')) return { kind: KINDS[kind], name }
  }
  return null
}

const problemOf = (line: string): string => {
  const words = wordsOf(line)
  const own = words.slice(0, words.includes('--') ? words.indexOf('--') : undefined)
  if (own[1] !== '-n' || own[2] !== 'murmuration') return 'has no -n murmuration'
  const named = namedBy(own.slice(3))
  const isKnown = !named || objects.some((one) => one.kind === named.kind && one.metadata.name === named.name)
  if (!isKnown) return `there is no ${named.kind} ${named.name}`
  const label = own.includes('-l') ? own[own.indexOf('-l') + 1] : undefined
  const [key = '', value = ''] = label?.split('=') ?? []
  if (label && !templates.some(({ template }) => template.metadata.labels[key] === value)) return `no pod has ${label}`
  // With a selector, kubectl prints only the last ten lines of each pod by default.
  if (own[3] === 'logs' && label && !own.some((word) => word.startsWith('--tail='))) return 'has no --tail'
  const [, set, number] = /^([a-z-]+)-(\d)$/.exec(own[4] ?? '') ?? []
  const replicas = objects.find((one) => one.kind === 'StatefulSet' && one.metadata.name === set)?.spec as AnySpec
  if (number && !(Number(number) < (replicas?.replicas ?? 0))) return `there is no pod ${own[4]}`
  const annotation = /annotations\.([^}]+)\}/.exec(line)?.[1]
  const target = objects.find((one) => one.kind === named?.kind && one.metadata.name === named.name)
  if (annotation && !target?.metadata.annotations?.[annotation]) return `there is no annotation ${annotation}`
  return ''
}

test('kubectl finds the objects, labels and pods of each command', () => {
  const typed = of('kubectl')
  expect(typed.length).toBeGreaterThan(15)
  expect(typed.flatMap((one) => (problemOf(one.line) ? [`${shown(one)}: ${problemOf(one.line)}`] : []))).toEqual([])
  expect(roles.map(keyOf)).toContain('statuses-api')
})

test('the port of health checks and the monitoring of NATS are those of the commands', async () => {
  const ports = [
    ...commands
      .map(({ line }) => line)
      .join('\n')
      .matchAll(/127\.0\.0\.1:(\d+)/g),
  ].map(([, port]) => port)
  expect([...new Set(ports)].toSorted()).toEqual(['8222', '9090'])
  expect(await text('k8s/stores/nats/nats.conf')).toContain('http: "0.0.0.0:8222"')
  expect(roles.map((one) => one.health)).toEqual(roles.map(() => 9_090))
})

test('the hook of the chart has the number of connections, which outlives its job', async () => {
  const job = (await lookUp('large')).one('Job', 'migrate')
  expect(job.metadata.annotations?.['helm.sh/hook']).toContain('pre-upgrade')
  expect(JSON.stringify(job.spec)).toMatch(/"DATABASE_CONNECTIONS","value":"\d+"/)
  expect(await text('docs/runbooks/at-most-replicas.md')).toContain('get hooks murmuration | grep DATABASE_CONN')
  expect(of('helm').every(({ line }) => line === 'helm upgrade' || line.startsWith('helm -n murmuration '))).toBe(true)
})

test('Helm accepts the values that commands of the guides set', async () => {
  const pages = ['k8s/README.md', 'docs/how-to', 'docs/runbooks']
  const found = await Promise.all(
    pages.map(async (page) =>
      page.endsWith('.md')
        ? [await text(page)]
        : Promise.all((await readdir(new URL(page, root))).map((name) => text(`${page}/${name}`))),
    ),
  )
  const set = found.flat().flatMap((one) => [...one.matchAll(/--set(?:-string|-json)?[ =][\w.-]+=[^\s`]+/g)].flat())
  expect(set.length).toBeGreaterThan(3)
  if (helm)
    await render(
      enough,
      [...new Set(set)].flatMap((one) => one.split(/ (.+)/).filter(Boolean)),
    )
})

test('a revision of secrets may be a number', async () => {
  if (!helm) return
  const rendered = await render(enough, [
    '--set',
    'secrets.revision=2',
    '--set',
    'secrets.revisions.SMTP_PASSWORD=20261130',
  ])
  expect(rendered).toContain('2 SMTP_PASSWORD=20261130')
})
