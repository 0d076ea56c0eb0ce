/** Opens a letter for whoever sends it: the address, and the link with its secret. */
import { letterOpen } from '@murmuration/contracts/accounts'
import { handle } from '../../doors.js'
import { letterOf } from '../../views/letter.js'

export const openLetter = handle(letterOpen, async (ctx, _viewer, { id }) => ({ letter: await letterOf(ctx, id) }))
