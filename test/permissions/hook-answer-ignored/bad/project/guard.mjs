console.log(JSON.stringify({ permissionDecision: 'deny', permissionDecisionReason: 'Ask a person.' }))
