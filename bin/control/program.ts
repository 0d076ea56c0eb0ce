/**
 * The command line of operators: `bin/ctl <noun> <verb>`. Arguments and flags are validated before the program connects
 * to the server. Exit codes: 2 for invalid arguments, 1 for a refusal or failure of the server.
 */
import { Command, CommanderError, InvalidArgumentError } from '@commander-js/extra-typings'
import { addAccessBlockCommands } from './access-blocks.js'
import { addAccountChangeCommands } from './account-changes.js'
import { addRelationshipCommand } from './account-relationship.js'
import { addAccountUpkeepCommands } from './account-upkeep.js'
import { addAnnouncementCommands } from './announcements.js'
import { addAuditLogCommands } from './audit-log.js'
import { addBulkActionCommands } from './bulk-actions.js'
import { addBusCommands } from './bus.js'
import { addCacheCommands } from './caches.js'
import { addCompletionCommands, type Described, describedCommands } from './completion.js'
import { addDomainAllowCommands } from './domain-allows.js'
import { addDomainBlockCommands } from './domain-blocks.js'
import { addDomainCommands } from './domains.js'
import { addEmojiArchiveCommands } from './emoji-archives.js'
import { addEmojiCommands } from './emojis.js'
import { addFederationCommands } from './federation.js'
import { addJoiningCommands } from './joining.js'
import { addMediaCommands } from './media.js'
import type { Operator } from './operator.js'
import { addExamples } from './other-examples.js'
import { addPruningCommands } from './pruning.js'
import { addQueueCommands } from './queues.js'
import { addRecountCommands } from './recount.js'
import { addRelayCommands } from './relays.js'
import { addReportCommands } from './reports.js'
import type { Commands, Group, Result } from './result.js'
import { addRuleCommands } from './rules.js'
import { addSecretCommands } from './secrets.js'
import { addSelfDestructCommands } from './self-destruct.js'
import { addSettingCommands } from './settings.js'
import { addTaskCommands } from './tasks.js'
import { addTermsCommands } from './terms.js'
import { addUserCommands } from './users.js'
import { addWarningPresetCommands } from './warning-presets.js'

export interface Surroundings {
  /** Connects to the running server. It is called only if arguments and flags are valid. */
  connect(): Promise<Operator>
  write(text: string | Buffer): void
  writeError(text: string): void
}

/** Groups of commands in the order of the help: commands for accounts first, commands for the bus last. */
const GROUPS: readonly ((commands: Commands) => void)[] = [
  addUserCommands,
  addAccountChangeCommands,
  addAccountUpkeepCommands,
  addRelationshipCommand,
  addJoiningCommands,
  addSettingCommands,
  addRuleCommands,
  addWarningPresetCommands,
  addReportCommands,
  addAuditLogCommands,
  addBulkActionCommands,
  addAnnouncementCommands,
  addEmojiCommands,
  addEmojiArchiveCommands,
  addMediaCommands,
  addPruningCommands,
  addCacheCommands,
  addTermsCommands,
  addDomainCommands,
  addDomainBlockCommands,
  addDomainAllowCommands,
  addAccessBlockCommands,
  addFederationCommands,
  addRelayCommands,
  addTaskCommands,
  addQueueCommands,
  addBusCommands,
  addRecountCommands,
  addSecretCommands,
  addSelfDestructCommands,
  addCompletionCommands,
]

/** Creates the program with all commands. It also returns the exit code of the command that was executed. */
export const createProgram = ({ connect, write, writeError }: Surroundings, isJson: boolean) => {
  let status = 0
  const program = new Command('bin/ctl')
    .description('Runs a Murmuration server: accounts, moderation, federation and queues.')
    .option('--json', 'print JSON, also for errors')
    .configureOutput({
      writeOut: write,
      writeErr: writeError,
      outputError: (text, print) => {
        const sentence = text.replace(/^error: /, '').trim()
        print(isJson ? `${JSON.stringify({ error: sentence })}\n` : `${sentence}\n`)
      },
    })
    .exitOverride()
    .addHelpText('after', '\nThe flags and examples of one command: bin/ctl <noun> <verb> --help')
  const print = ({ data, text, bytes, code = 0 }: Result): void => {
    if (bytes) {
      write(bytes)
      writeError(`${text}\n`)
    } else write(isJson ? `${JSON.stringify(data)}\n` : `${text}\n`)
    status = code
  }
  const groups = new Map<string, Group>()
  const commands: Commands = {
    program,
    group(name, about) {
      const group = groups.get(name) ?? program.command(name).description(about)
      groups.set(name, group)
      return group
    },
    offline:
      (work) =>
      async (...words) =>
        print(await work(...words)),
    run:
      (work) =>
      async (...words) => {
        const operator = await connect()
        try {
          print(await work(operator, ...words))
        } finally {
          await operator.close()
        }
      },
  }
  for (const add of GROUPS) add(commands)
  addExamples(program as unknown as Command)
  return { program, status: () => status }
}

/** Returns all commands of the command line with their flags. */
export const listCommands = (): Described[] => {
  const nothing = () => undefined
  const connect = () => Promise.reject(new Error('only listed'))
  return describedCommands(createProgram({ connect, write: nothing, writeError: nothing }, false).program)
}

/** Runs one command line. Returns the exit code: 0, 1 for a failure, or 2 for invalid arguments. */
export const runCommandLine = async (words: readonly string[], surroundings: Surroundings): Promise<number> => {
  const isJson = words.includes('--json')
  const { program, status } = createProgram(surroundings, isJson)
  try {
    await program.parseAsync([...words], { from: 'user' })
    return status()
  } catch (error) {
    const isWrongValue = error instanceof InvalidArgumentError
    // The library commander has printed the errors that it found itself. Invalid values that a command finds are printed below.
    if (error instanceof CommanderError && !isWrongValue) return error.exitCode === 0 ? 0 : 2
    const text = error instanceof Error ? error.message : String(error)
    surroundings.writeError(isJson ? `${JSON.stringify({ error: text })}\n` : `${text}\n`)
    return isWrongValue ? 2 : 1
  }
}
