/** The operator's commands: people, tokens, settings, queues, dead letters; `--json` for scripts. */
import { parseArgs } from 'node:util'
import { Failure } from '@murmuration/contracts/kit'
import type { Command } from './control/command.js'
import { COMMANDS } from './control/commands.js'
import { connectOperator } from './control/operator.js'

/** Every command, or those of one noun. */
const usage = (noun?: string): string => {
  const some = COMMANDS.filter((one) => one.name.split(' ')[0] === noun)
  const lines = (some.length ? some : COMMANDS).map((one) => `  ${one.usage}\n      ${one.about}`)
  return `Usage: bin/ctl <noun> <verb> [arguments] [--json]\n\n${lines.join('\n')}\n`
}

const find = (words: string[]): { command: Command; rest: string[] } | null => {
  for (const command of COMMANDS) {
    const name = command.name.split(' ')
    if (name.every((word, i) => words[i] === word)) return { command, rest: words.slice(name.length) }
  }
  return null
}

const main = async (): Promise<number> => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    allowNegative: true,
    strict: true,
    options: {
      json: { type: 'boolean' },
      email: { type: 'string' },
      password: { type: 'string' },
      role: { type: 'string' },
      confirmed: { type: 'boolean' },
      scopes: { type: 'string' },
      service: { type: 'string' },
      from: { type: 'string' },
      to: { type: 'string' },
      at: { type: 'string' },
      category: { type: 'string' },
      check: { type: 'boolean' },
      severity: { type: 'string' },
      'reject-media': { type: 'boolean' },
      'reject-reports': { type: 'boolean' },
      comment: { type: 'string' },
      'private-comment': { type: 'string' },
      obfuscate: { type: 'boolean' },
      'dry-run': { type: 'boolean' },
      'expires-in': { type: 'string' },
      'allow-with-approval': { type: 'boolean' },
      exact: { type: 'boolean' },
      hint: { type: 'string' },
      priority: { type: 'string' },
      before: { type: 'string' },
      unavailable: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  })
  const [noun] = positionals
  if (noun === undefined || noun === 'help' || values.help) {
    process.stdout.write(usage(noun === 'help' ? positionals[1] : noun))
    return noun || values.help ? 0 : 2
  }
  const found = find(positionals)
  if (!found) {
    process.stderr.write(`There is no command "${positionals.join(' ')}".\n\n${usage(noun)}`)
    return 2
  }
  const operator = await connectOperator()
  try {
    const result = await found.command.run(operator, found.rest, values)
    process.stdout.write(values.json ? `${JSON.stringify(result.data)}\n` : `${result.text}\n`)
    return result.code ?? 0
  } finally {
    await operator.close()
  }
}

main().then(
  (code) => process.exit(code),
  (error) => {
    const text = error instanceof Failure || error instanceof Error ? error.message : String(error)
    process.stderr.write(process.argv.includes('--json') ? `${JSON.stringify({ error: text })}\n` : `${text}\n`)
    process.exit(1)
  },
)
