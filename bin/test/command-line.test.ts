/** The command line of operators: invalid arguments are reported before a connection, with exit code 2. */
import { expect, test } from 'vitest'
import { listCommands } from '../control/program.js'
import { runWords } from './command-line.js'

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

test('each command has valid examples', async () => {
  const wrong: string[] = []
  for (const { name } of listCommands()) {
    if (name === 'complete') continue
    const { text } = await run(...name.split(' '), '--help')
    const lines = text.split('Examples:')[1]?.match(/(?<=bin\/ctl ).+/g) ?? []
    if (lines.length === 0) wrong.push(`${name} has no example`)
    for (const line of lines) {
      if (!line.startsWith(name)) wrong.push(`${name}: ${line}`)
      const { status, error } = await run(...wordsOf(line))
      // Allowed failures: the program wants to connect, or the file of an example does not exist.
      if (status === 2 || (status === 1 && !/connects|There is no file|cannot be read/.test(error)))
        wrong.push(`${name}: ${line}: ${error}`)
    }
  }
  expect(wrong).toEqual([])
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
