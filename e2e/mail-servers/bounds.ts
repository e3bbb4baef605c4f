/** How long tests wait for what happens in other processes. */
export const bounds = { timeout: 60_000, interval: 100 }
