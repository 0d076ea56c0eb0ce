/** What a person wants to be written about. */
import { mailChoiceShow } from '@murmuration/contracts/notifications'
import { handle } from '../../doors.js'
import { mailChoiceOf } from '../../store/mail-choice.js'

export const showMailChoice = handle(mailChoiceShow, (ctx, _viewer, { account }) => mailChoiceOf(ctx.db, account))
