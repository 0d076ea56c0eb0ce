/** The command line of operators: invalid arguments are reported before a connection, with exit code 2. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { AnyOperation } from '@murmuration/contracts/kit'
import { expect, test } from 'vitest'
import type { Operator } from '../control/operator.js'
import { listCommands } from '../control/program.js'
import { runWords } from './command-line.js'
import { sampleOf } from './sample-of.js'

const run = (...words: string[]) => runWords(null, ...words)

test.each([
  [['domain-block', 'remove', 'a.example', '--dryrun'], "unknown option '--dryrun'\n(Did you mean --dry-run?)"],
  [['domain-block', 'add', 'a.example', 'b.example'], 'too many arguments'],
  [['domain-block', 'add', 'a.example', '--severity', 'much'], 'Allowed choices are silence, suspend, noop'],
  [['setting', 'set', 'site_title', 'My', 'Server'], 'too many arguments'],
  [['setting', 'set', 'registrations', 'maybe'], 'registrations is open, approval or closed.'],
  [['rule', 'add', 'Be kind.', '--category', 'x'], "unknown option '--category'"],
  [['rule', 'remove', 'first'], 'the number in the first column'],
  [['announcement', 'create', 'x', '--at', 'tomorrow'], 'such as 2026-12-31'],
  [['terms', 'publish', 'terms.md', '--from', '2026-12-31T18:00'], 'It is a day such as 2026-12-31.'],
  [['terms', 'publish', 'terms.md', '--from', '2026-02-30'], 'It is a day such as 2026-12-31.'],
  [['ip-block', 'add', '192.0.2.1'], "required option '--severity <severity>' not specified"],
  [['ip-block', 'add', '192.0.2.1', '--severity', 'no_access', '--expires-in', '1h'], 'a number from 1 to'],
  [['dlq', 'replay', '--service', 'nope'], 'Allowed choices are media'],
  [['event', 'replay'], "required option '--service <service>' not specified"],
  [['federation', 'hots'], '(Did you mean hosts?)'],
  [['federation', 'refusals', '-1'], 'a number from 1 to 31'],
  [['rul'], '(Did you mean rule?)'],
  [['account', 'modify', 'alice'], 'Nothing to change: give at least one flag.'],
  [['account', 'modify', 'alice', '--enable', '--disable'], '--enable and --disable exclude each other.'],
  [['account', 'modify', 'alice', '--role', 'Admin', '--remove-role'], '--role and --remove-role exclude each other.'],
  [['account', 'modify', 'bob@other.example', '--enable'], 'It is a user name of this server'],
  [['account', 'refresh'], 'Give names, --domain or --all.'],
  [['account', 'refresh', 'alice'], 'It is a name with its server, such as bob@other.example.'],
  [['account', 'refresh', 'bob@a.example', '--all'], 'Give names, --domain or --all.'],
  [['account', 'rotate-keys'], 'Give a name or --all.'],
  [['account', 'rotate-keys', 'alice', '--delay', '5'], '--delay belongs to --all.'],
  [['account', 'reset-relationships', 'alice'], 'Give --follows, --followers or both.'],
  [['account', 'follow', 'bob@a.example'], 'It is a user name of this server'],
  [['emoji', 'import'], "missing required argument 'archive'"],
  [['emoji', 'export', '-', '--overwrit'], '(Did you mean --overwrite?)'],
  [['emoji', 'copy', 'wave'], "missing required argument 'domain'"],
  [['statuses', 'remove', '--days', '0'], 'It is a number from 1 to 36500.'],
  [['statuses', 'remove', '--batch-size', '2000'], 'It is a number from 1 to 1000.'],
  [['preview-cards', 'remove', 'x'], 'too many arguments'],
  [['event', 'replay', '--service', 'media'], 'Give ids of events, or --from.'],
  [['event', 'replay', '--service', 'media', '--to', '2026-12-31'], 'Give ids of events, or --from.'],
  [['rule', 'change', '1'], 'Nothing to change: give a text or a flag.'],
  [['warning-preset', 'update', '1'], 'Nothing to change: give a text or --title.'],
  [['feed', 'build'], 'Give a name or --all.'],
  [['feed', 'build', 'alice', '--all'], 'Give a name or --all.'],
  [['feed', 'clear', 'bob@a.example'], 'It is a user name of this server'],
  [['cache', 'clear', 'sessions'], 'Allowed choices are statuses, translations'],
  [['self-destruct'], 'Type the domain of this server after --confirm. Nothing of this can be undone.'],
  [['self-destruct', 'social.example'], 'too many arguments'],
  [['media', 'remove', '--days', 'x'], 'It is a number from 0 to 36500.'],
  [['media', 'remove', '--include-follows'], '--include-follows belongs to'],
  [['media', 'remove', '--prune-profiles', '--remove-headers'], 'exclude each other'],
  [['media', 'refresh'], 'Give --status, --account, --domain or --days.'],
  [['media', 'refresh', '--account', 'alice'], 'It is a name with its server'],
  [['domain', 'crawl', '--concurrency', '65'], 'It is a number from 1 to 64.'],
  [['domain', 'crawl', '--format', 'xml'], 'Allowed choices are summary, domains, json'],
  [['domain', 'crawl', 'a.example', '--of', '1'], '--of takes no start'],
  [['domain', 'purge'], "missing required argument 'domains'"],
  [['task', 'show', 'nope', '1'], 'Allowed choices are accounts, admin, federation, media'],
  [['account', 'delete', 'a@b@c'], 'It is a name such as alice or bob@other.example.'],
])('bin/ctl %j is refused before it connects', async (words, sentence) => {
  const { status, text, error } = await run(...words)
  expect([status, text]).toEqual([2, ''])
  expect(error).toContain(sentence)
  const asJson = await run(...words, '--json')
  expect([asJson.status, JSON.parse(asJson.error).error]).toEqual([2, expect.stringContaining(sentence)])
})

test('a command whose output nobody reads to its end prints no stack trace', async () => {
  const line = '{ bin/ctl --help; echo "status $?" >&2; } | true'
  const { stderr } = await promisify(execFile)('sh', ['-c', line], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
  })
  expect(stderr).toBe('status 0\n')
})

test('a noun alone prints its commands with exit code 2, and --help with exit code 0', async () => {
  const alone = await run('rule')
  expect([alone.status, alone.error]).toEqual([2, expect.stringContaining('translate')])
  const helped = await run('domain-block', 'add', '--help')
  expect([helped.status, helped.text]).toEqual([0, expect.stringContaining('bin/ctl domain-block add spam.example')])
})

test('each command has a description, and each removing one has --dry-run', () => {
  const commands = listCommands()
  expect(commands.length).toBeGreaterThan(50)
  expect(commands.filter(({ name, about }) => about === '' && name !== 'complete')).toEqual([])
  const removing = commands.filter(({ name }) =>
    /(?:remove|drop|reject|delete|cull|prune|purge|unfollow|reset-relationships|orphans|clear|self-destruct|remove-note|remove-second-factor)$/.test(
      name,
    ),
  )
  expect(removing.length).toBeGreaterThan(10)
  expect(removing.filter(({ flags }) => !flags.includes('--dry-run'))).toEqual([])
})

/** Arguments of a command line as a shell parses them, without redirections. */
const wordsOf = (line: string): string[] =>
  [...line.replace(/ [<>] .*$/, '').matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')

/** Maximum number of requests of one command. Commands that read all pages of a list never end with sample responses. */
const MAX_REQUESTS = 20

/** Runs a command line with a server that checks each request with its contract, and sends sample responses. */
const runWithSamples = async (...words: string[]) => {
  const requests: { name: string; input: unknown }[] = []
  const refused: string[] = []
  const call = async (wanted: AnyOperation, input: unknown): Promise<unknown> => {
    const { error } = wanted.input.safeParse(input)
    requests.push({ name: wanted.name, input })
    if (error) refused.push(`${wanted.name} ${JSON.stringify(input)}: ${error.message}`)
    if (error || requests.length > MAX_REQUESTS) throw new Error('no response')
    return sampleOf(wanted.output)
  }
  const note = <T>(subject: string, response: T): T => {
    requests.push({ name: subject, input: null })
    return response
  }
  const bus = {
    askBus: async (subject: string) => note(subject, {}),
    askAll: async (subject: string) => note(subject, []),
  }
  const ran = await runWords({ call: call as Operator['call'], ...bus, close: async () => undefined }, ...words)
  return { ...ran, requests, refused }
}

/** Files that examples name. */
const FILES = {
  'terms.md': 'Be kind.',
  'blobcat.png': 'image',
  'blocks.csv': '#domain,#severity\nspam.example,suspend\n',
  'allowed.csv': '#domain\nfar.example\n',
}

/** Calls a function in a folder with these files, because examples read and write files. */
const inFolderOfExamples = async (work: () => Promise<void>): Promise<void> => {
  const [before, folder] = [process.cwd(), mkdtempSync(join(tmpdir(), 'examples-'))]
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text)
  process.chdir(folder)
  try {
    await work()
  } finally {
    process.chdir(before)
    rmSync(folder, { recursive: true })
  }
}

test('each command has examples, which its contracts accept, and prints times with a zone', async () => {
  const wrong: string[] = []
  await inFolderOfExamples(async () => {
    for (const { name } of listCommands()) {
      if (name === 'complete') continue
      const { text: help } = await run(...name.split(' '), '--help')
      const lines = help.split('Examples:')[1]?.match(/(?<=bin\/ctl ).+/g) ?? []
      if (lines.length === 0) wrong.push(`${name} has no example`)
      for (const line of lines) {
        if (!line.startsWith(name)) wrong.push(`${name}: ${line}`)
        const { status, text, error, requests, refused } = await runWithSamples(...wordsOf(line))
        if (/T00:00(?![:.0]*Z)/.test(text)) wrong.push(`${line}: a time without a zone: ${text}`)
        wrong.push(...refused.map((one) => `${line}: ${one}`))
        // Without a request, the only allowed failure is an archive of an example that does not exist.
        const isAllowed = status === 0 || requests.length > 0 || /There is no file|cannot be read/.test(error)
        if (status === 2 || !isAllowed) wrong.push(`${name}: ${line}: ${error}`)
      }
    }
  })
  expect(wrong).toEqual([])
})

test.each(['2026-12-31', '2026-12-31T18:00', '2026-12-31T18:00Z', '2026-12-31T18:00+01:00', '2026-12-31 18:00:30'])(
  'the time %s is accepted by each command with a time',
  async (time) => {
    for (const words of [
      ['announcement', 'create', 'Maintenance.', '--at', time],
      ['announcement', 'create', 'Maintenance.', '--to', time],
      ['announcement', 'create', 'Maintenance.', '--from', time, '--to', time],
      ['event', 'replay', '--service', 'statuses', '--from', time, '--to', time],
      ['federation', 'explain', 'alice', '--at', time],
    ])
      expect(await runWithSamples(...words), words.join(' ')).toMatchObject({ status: 0, refused: [] })
  },
)

test('an announcement with an end and no start begins when it is published', async () => {
  const create = (...more: string[]) => runWithSamples('announcement', 'create', 'x', '--to', '2999-12-31', ...more)
  const ends_at = '2999-12-31T00:00:00.000Z'
  const scheduled_at = '2999-12-30T18:00:00.000Z'
  expect((await create()).requests).toMatchObject([{ input: { starts_at: expect.stringMatching(/Z$/), ends_at } }])
  expect((await create('--at', '2999-12-30T18:00')).requests).toMatchObject([
    { input: { starts_at: scheduled_at, ends_at, scheduled_at } },
  ])
})

test.each([
  [['ip'], ['ip-block']],
  [
    ['ip-block', ''],
    ['add', 'list', 'remove', 'help'],
  ],
  [['ip-block', 'add', '192.0.2.1', '--se'], ['--severity']],
  [
    ['ip-block', 'add', '192.0.2.1', '--severity', 'sign'],
    ['sign_up_requires_approval', 'sign_up_block'],
  ],
  [['completion', 'z'], ['zsh']],
  [['account', 'create', 'alice', ''], []],
])('a shell completes %j', async (words, completions) => {
  const { status, text } = await run('complete', '--', ...words)
  expect([status, text.split('\n').filter(Boolean)]).toEqual([0, completions])
})

test('each shell has a completion script', async () => {
  for (const shell of ['bash', 'zsh', 'fish']) expect((await run('completion', shell)).text).toMatch(/complete --? ?/)
  expect((await run('completion', 'csh')).status).toBe(2)
})
