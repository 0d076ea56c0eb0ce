/** Every command with its usage, and what it asks of the running services. */
import { accessBlockCommands } from './access-blocks.js'
import { announcementCommands } from './announcements.js'
import { auditLogCommands } from './audit-log.js'
import type { Command } from './command.js'
import { domainAllowCommands } from './domain-allows.js'
import { domainBlockCommands } from './domain-blocks.js'
import { emojiCommands } from './emojis.js'
import { federationCommands } from './federation.js'
import { joiningCommands } from './joining.js'
import { peopleCommands } from './people.js'
import { queueCommands } from './queues.js'
import { recountCommands } from './recount.js'
import { relayCommands } from './relays.js'
import { ruleCommands } from './rules.js'
import { settingCommands } from './settings.js'
import { termsCommands } from './terms.js'

export const COMMANDS: readonly Command[] = [
  ...peopleCommands,
  ...joiningCommands,
  ...settingCommands,
  ...ruleCommands,
  ...auditLogCommands,
  ...announcementCommands,
  ...emojiCommands,
  ...termsCommands,
  ...domainBlockCommands,
  ...domainAllowCommands,
  ...accessBlockCommands,
  ...federationCommands,
  ...relayCommands,
  ...queueCommands,
  ...recountCommands,
]
