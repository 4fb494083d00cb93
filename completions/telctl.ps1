# PowerShell completion for telctl. Made by: telctl completion powershell
Register-ArgumentCompleter -Native -CommandName telctl -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $typed = @($commandAst.CommandElements |
        Where-Object { $_.Extent.EndOffset -le $cursorPosition } |
        Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
    if ($wordToComplete -eq '') { $typed += '' }
    telctl __complete -- @typed 2>$null | ForEach-Object {
        if ($_ -eq ':file') {
            Get-ChildItem -Path "$wordToComplete*" -Name | ForEach-Object {
                [System.Management.Automation.CompletionResult]::new($_, $_, 'ProviderItem', $_)
            }
        } else {
            $word, $note = $_ -split "`t", 2
            if (-not $note) { $note = $word }
            $shown = if ($word -match '[\s''"$]') { "'" + $word.Replace("'", "''") + "'" } else { $word }
            [System.Management.Automation.CompletionResult]::new($shown, $word, 'ParameterValue', $note)
        }
    }
}
