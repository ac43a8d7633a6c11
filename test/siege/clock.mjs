// Loaded before the service: the machine's clock is set otherwise by so many seconds.
const aheadMs = 1000 * Number(process.env.ENLARGER_SIEGE_CLOCK);
const now = Date.now.bind(Date);
Date.now = () => now() + aheadMs;
