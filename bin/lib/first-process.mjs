/** Makes SIGTERM and SIGINT end process 1 of a container, for which the kernel ignores signals without a handler. */
const NUMBERS = { SIGINT: 2, SIGTERM: 15 }

if (process.pid === 1) {
  for (const [signal, number] of Object.entries(NUMBERS)) {
    // Does nothing if the program has its own handler, with which a started role stops in order.
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) process.exit(128 + number)
    })
  }
}
