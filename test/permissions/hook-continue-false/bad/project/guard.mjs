console.log(JSON.stringify({ continue: false, stopReason: 'Ask a person.' }))
