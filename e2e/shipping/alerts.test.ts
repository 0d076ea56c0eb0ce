/** Every alert has a runbook page and every page an alert. Metrics, commands, consumers and log lines in them exist. */
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { listCommands } from '../../bin/control/program.js'
import { objectsOf } from '../../helm/render.js'
import { type AnySpec, root } from './rendered.js'

const text = (path: string): Promise<string> => readFile(new URL(path, root), 'utf8')

interface Alert {
  alert: string
  expr: string
  labels: { severity: string }
  annotations: { summary: string; runbook: string }
}
const alerts: Alert[] = objectsOf(await text('k8s/alerts/murmuration.yaml')).flatMap((object) =>
  (object.spec as AnySpec).groups.flatMap((group: AnySpec) => group.rules),
)
const dashboards = (await readdir(new URL('k8s/dashboards', root))).filter((name) => name.endsWith('.json'))

/** `MurmurationOutboxStuck` → `outbox-stuck`. */
const pageOf = (alert: string): string =>
  alert
    .replace('Murmuration', '')
    .replace(/(?<=.)([A-Z])/g, '-$1')
    .toLowerCase()

/** Names of `murmuration_` metrics in an expression, histograms without their suffixes. */
const figuresIn = (expr: string): string[] =>
  [...expr.matchAll(/\bmurmuration_[a-z_]+/g)].map((found) => found[0].replace(/_(bucket|sum|count)$/, ''))

/** Sources of packages and services, one text per file. */
const sources = async (): Promise<string[]> => {
  const folders = ['packages', 'services'].map((name) => fileURLToPath(new URL(name, root)))
  const lists = await Promise.all(folders.map((folder) => readdir(folder, { recursive: true })))
  const files = lists.flatMap((list, i) =>
    list
      .filter((name) => /\/src\/.*(?<!\.test)\.ts$/.test(`/${name}`) && !name.includes('node_modules'))
      .map((name) => `${folders[i]}/${name}`),
  )
  return Promise.all(files.map((file) => readFile(file, 'utf8')))
}
/** Names of metrics in the sources. */
const made = async (): Promise<Set<string>> =>
  new Set((await sources()).flatMap((source) => source.match(/\bmurmuration_[a-z_]+/g) ?? []))
const runbooks = async (): Promise<{ name: string; page: string }[]> => {
  const names = await readdir(new URL('docs/runbooks', root))
  return Promise.all(names.map(async (name) => ({ name, page: await text(`docs/runbooks/${name}`) })))
}
/** True for the process metrics of prom-client, with the prefix of this product. */
const ofTheProcess = (figure: string): boolean => /^murmuration_(process|nodejs)_/.test(figure)

test('each alert has a runbook page, and the overview lists each other page by its question', async () => {
  const pages = (await readdir(new URL('docs/runbooks', root))).filter((name) => name !== 'README.md')
  const ofAlerts = alerts.map((one) => `${pageOf(one.alert)}.md`)
  expect(ofAlerts.filter((page) => !pages.includes(page))).toEqual([])
  const byQuestion = (await text('docs/runbooks/README.md')).split('## By question')[1] ?? ''
  const others = pages.filter((page) => !ofAlerts.includes(page))
  expect(others.filter((page) => !byQuestion.includes(`](${page})`))).toEqual([])
})

test.each(alerts.map((one) => [one.alert, one] as const))(
  '%s has a page that begins with its name',
  async (name, one) => {
    expect(one.annotations.runbook).toBe(`docs/runbooks/${pageOf(name)}.md`)
    const page = await text(one.annotations.runbook)
    expect(page.split('\n')[0]).toBe(`# ${name}`)
    for (const part of ['## Symptoms', '## Look', '## Fix']) expect(page).toContain(part)
    expect(['page', 'ticket']).toContain(one.labels.severity)
    expect(one.annotations.summary.length).toBeGreaterThan(10)
    expect(await text('docs/runbooks/README.md')).toContain(
      `| ${name} | ${one.labels.severity === 'page' ? 'yes' : 'no'} |`,
    )
  },
)

test('links between runbooks have a target', async () => {
  const pages = await runbooks()
  const names = pages.map((one) => one.name)
  const links = pages.flatMap(({ page }) => [...page.matchAll(/\]\(([a-z-]+\.md)\)/g)].map((found) => found[1]))
  expect(links.filter((link) => !names.includes(link!))).toEqual([])
})

/** Commands after `ctl` in the code of a page. */
const commandsIn = (page: string): string[] =>
  [...page.matchAll(/(?<![a-z-])ctl ([a-z][^`\n']*)/g)].map((found) => found[1]!.trim())

const commands = listCommands()
const GLOBAL_FLAGS = ['--json', '--help']

/** True when this command exists with all of its flags. One word alone means all commands of a noun. */
const isCommand = (typed: string): boolean => {
  const words = typed.split(' ')
  const typedFlags = words.filter((word) => word.startsWith('--'))
  return commands.some(({ name, flags }) => {
    const isNoun = words.length === 1 && name.startsWith(`${typed} `)
    const isWhole = `${typed} `.startsWith(`${name} `)
    return isNoun || (isWhole && typedFlags.every((flag) => [...flags, ...GLOBAL_FLAGS].includes(flag)))
  })
}

test('commands in pages exist', async () => {
  const docs = (await readdir(new URL('docs', root), { recursive: true })).filter((name) => name.endsWith('.md'))
  const names = [
    ...docs.map((name) => `docs/${name}`),
    'README.md',
    'CONTRIBUTING.md',
    'FEDERATION.md',
    'k8s/README.md',
  ]
  const pages = await Promise.all(names.map(async (name) => ({ name, typed: commandsIn(await text(name)) })))
  const typed = pages.flatMap((page) => page.typed.map((command) => `${page.name}: ${command}`))
  expect(typed.length).toBeGreaterThan(20)
  expect(typed.filter((line) => !isCommand(line.slice(line.indexOf(': ') + 2)))).toEqual([])
})

/** Log lines in a page: all quotations in paragraphs with the word `log`, and the table of log lines. */
const logLinesIn = (page: string): string[] => {
  const points = page.split(/\n(?=\d+\. |- |#|\n)/).filter((point) => /\blog\b/.test(point) && !point.startsWith('#'))
  const quoted = points.flatMap((point) => [...point.replace(/`[^`]*`/g, '').matchAll(/"([^"]+)"/g)])
  const [, table = ''] = page.split(/^## What the log says.*$/m)
  const cells = [...table.matchAll(/^\| (`[^|]+)\|/gm)].flatMap((row) => [...row[1]!.matchAll(/`([^`]+)`/g)])
  return [...quoted, ...cells].map((found) => found[1]!).filter((line) => line !== 'message')
}

test('log lines in runbooks begin with texts of the code', async () => {
  const code = (await sources()).join('\n')
  const isWritten = (line: string) => [`'${line}`, `"${line}`, `\`${line}`].some((begin) => code.includes(begin))
  const quoted = (await runbooks()).flatMap(({ name, page }) => logLinesIn(page).map((line) => `${name}: ${line}`))
  expect(quoted.length).toBeGreaterThan(10)
  expect(quoted.filter((line) => !isWritten(line.slice(line.indexOf(': ') + 2)))).toEqual([])
})

test('consumers in runbooks exist', async () => {
  const logins = await text('k8s/stores/nats/users.conf')
  const consumers = [...logins.matchAll(/CONSUMER\.INFO\.[A-Za-z]+_[a-z]+\.([a-z_-]+)/g)].map((found) => found[1]!)
  const [, table = ''] = (await text('docs/runbooks/consumer-behind.md')).split('| Consumer begins with ')
  const named = [...table.matchAll(/^\| `([^`]+)` \|/gm)].map((found) => found[1]!)
  expect(named.length).toBeGreaterThan(3)
  expect(named.filter((begin) => !consumers.some((name) => name.startsWith(begin)))).toEqual([])
})

test('dashboards and panels in runbooks exist', async () => {
  const shown = await Promise.all(
    dashboards.map(async (name) => JSON.parse(await text(`k8s/dashboards/${name}`)) as AnySpec),
  )
  const panels = shown.flatMap((one) => one.panels.map((panel: AnySpec) => panel.title as string))
  const titles = shown.map((one) => (one.title as string).replace('Murmuration: ', ''))
  const pages = (await runbooks()).map((one) => one.page).join('\n')
  const named = (pattern: RegExp) =>
    [...pages.matchAll(pattern)].flatMap((found) => [...found[0].matchAll(/\*([^*]+)\*/g)].map((title) => title[1]!))
  const wanted = [named(/dashboard \*[^*]+\*/gi), named(/panels? \*[^*]+\*(?: and \*[^*]+\*)?/g)] as const
  expect(wanted.map((list) => list.length > 3)).toEqual([true, true])
  expect(wanted[0].filter((title) => !titles.includes(title))).toEqual([])
  expect(wanted[1].filter((title) => !panels.includes(title))).toEqual([])
})

test('alerts use only metrics that the code exports', async () => {
  const known = await made()
  const asked = new Set(alerts.flatMap((one) => figuresIn(one.expr)))
  expect([...asked].filter((figure) => !known.has(figure) && !ofTheProcess(figure))).toEqual([])
})

test('metrics in runbooks are exported by the code', async () => {
  const known = await made()
  const named = (await runbooks()).flatMap(({ name, page }) => figuresIn(page).map((figure) => `${name}: ${figure}`))
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter((line) => !known.has(line.slice(line.indexOf(': ') + 2)))).toEqual([])
})

test('settings in runbooks exist, also those of the chart', async () => {
  const [settings, values] = [await text('docs/reference/settings.md'), await text('helm/murmuration/values.yaml')]
  const roleFields = /Overrides by role[^:]*: ([^.]*)\./.exec(values.replace(/\n# /g, ' '))?.[1]?.split(', ') ?? []
  const isKnown = (name: string): boolean => {
    const [group = '', first = '', second = ''] = name.split('.')
    if (group === 'roles') return second === '' || roleFields.includes(second)
    if (group === 'autoscaling') return new RegExp(`^ {2}${first}:`, 'm').test(values.split(/^autoscaling:/m)[1] ?? '')
    return settings.includes(`| \`${group === 'config' ? first : name}\` |`)
  }
  const named = (await runbooks()).flatMap(({ name, page }) =>
    [
      ...page.matchAll(
        /`((?:config|roles|autoscaling)\.[\w.-]+|(?:DB|NATS|STUCK|USER|HEALTH|LOCAL|STOP)_[A-Z_]+)[`:]/g,
      ),
    ].map((found) => `${name}: ${found[1]}`),
  )
  expect(named.length).toBeGreaterThan(8)
  expect(named.filter((line) => !isKnown(line.slice(line.indexOf(': ') + 2)))).toEqual([])
})

test.each(dashboards)('%s is a dashboard that uses only metrics that the code exports', async (name) => {
  const dashboard = JSON.parse(await text(`k8s/dashboards/${name}`)) as AnySpec
  const known = await made()
  expect(dashboard.uid).toBe(`murmuration-${name.replace('.json', '')}`)
  const panels = dashboard.panels as AnySpec[]
  expect(new Set(panels.map((panel) => panel.id)).size).toBe(panels.length)
  for (const panel of panels) expect(panel.targets.length).toBeGreaterThan(0)
  const asked = new Set(panels.flatMap((panel) => panel.targets.flatMap((target: AnySpec) => figuresIn(target.expr))))
  expect([...asked].filter((figure) => !known.has(figure as string) && !ofTheProcess(figure as string))).toEqual([])
})

test('D075 no alert or dashboard groups by labels with too many values', async () => {
  const shown = (await Promise.all(dashboards.map((name) => text(`k8s/dashboards/${name}`)))).join('\n')
  expect(`${shown}\n${alerts.map((one) => one.expr).join('\n')}`).not.toMatch(
    /by \([^)]*\b(account|user|host|domain|path|id)\b/,
  )
})
