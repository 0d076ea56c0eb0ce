/** The server, its limits and its rules. */
import { instanceShow } from '@murmuration/contracts/admin'
import { handle } from '../../doors.js'
import { instance } from '../../views/instance.js'
import { instanceParts } from '../../views/instance-parts.js'

export const show = handle(instanceShow, async (ctx) => instance(await instanceParts(ctx)))
