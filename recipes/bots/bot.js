// Chooses at random: smallcity arena "stdio:node recipes/bots/bot.js" random
const lines = require('node:readline').createInterface({ input: process.stdin })
lines.on('line', (line) => {
  const { type, legal } = JSON.parse(line)
  if (type === 'hello') return console.log(JSON.stringify({ protocol: 1 }))
  const { id } = legal[Math.floor(Math.random() * legal.length)]
  console.log(JSON.stringify({ answer: id }))
})
