/** Every reaction of media. */
import type { ReactionDoor } from '@murmuration/kernel'
import { onAccountRemoved } from './on-account-removed.js'
import { onDomainAllowLifted } from './on-domain-allow-lifted.js'
import { onDomainBlockChanged } from './on-domain-block-changed.js'

export const reactions: readonly ReactionDoor[] = [onAccountRemoved, onDomainAllowLifted, onDomainBlockChanged]
