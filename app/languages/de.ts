<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>Answer</name>
    <message>
        <source>Answer {n}</source>
        <translation>Antwort {n}</translation>
    </message>
    <message>
        <source>{n} felt quicker</source>
        <translation>{n} wirkte schneller</translation>
    </message>
    <message>
        <source>Answer {n} felt quicker</source>
        <translation>Antwort {n} wirkte schneller</translation>
    </message>
</context>
<context>
    <name>Application</name>
    <message>
        <source>PADS Live ended abruptly an earlier time: the details can be copied into a report.</source>
        <translation>PADS Live endete früher einmal plötzlich: Die Einzelheiten lassen sich in einen Bericht kopieren.</translation>
    </message>
</context>
<context>
    <name>Attract</name>
    <message>
        <source>You pause. The answer is already being worked out.</source>
        <translation>Sie machen eine Pause. Die Antwort wird schon ausgearbeitet.</translation>
    </message>
    <message>
        <source>Just speak, or press any key</source>
        <translation>Sprechen Sie einfach, oder drücken Sie eine Taste</translation>
    </message>
    <message>
        <source>Press any key</source>
        <translation>Drücken Sie eine Taste</translation>
    </message>
    <message>
        <source>deep work</source>
        <translation>tiefe Arbeit</translation>
    </message>
    <message>
        <source>▶ the answer, at once</source>
        <translation>▶ die Antwort, sofort</translation>
    </message>
    <message>
        <source>your pause</source>
        <translation>Ihre Pause</translation>
    </message>
</context>
<context>
    <name>Banner</name>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Dismiss</source>
        <translation>Ausblenden</translation>
    </message>
    <message>
        <source>with the words of the conversation</source>
        <translation>mit den Worten des Gesprächs</translation>
    </message>
    <message>
        <source>Log, versions and machine: nothing is sent anywhere</source>
        <translation>Protokoll, Versionen und Rechner: Nichts wird irgendwohin geschickt</translation>
    </message>
    <message>
        <source>Copy details</source>
        <translation>Einzelheiten kopieren</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
</context>
<context>
    <name>Certificate</name>
    <message>
        <source>always drafts, whatever it costs (for demonstrations)</source>
        <translation>entwirft immer, was es auch kostet (für Vorführungen)</translation>
    </message>
    <message>
        <source>drafts only where it was measured to be faster</source>
        <translation>entwirft nur, wo es gemessen schneller ist</translation>
    </message>
    <message>
        <source>never drafts</source>
        <translation>entwirft nie</translation>
    </message>
    <message>
        <source>Checked on this machine at start: drafting ahead serves the very tokens that decoding one by one serves.</source>
        <translation>Beim Start auf diesem Rechner geprüft: Vorausentwerfen liefert genau die Token, die auch Dekodieren Token für Token liefert.</translation>
    </message>
    <message>
        <source>The exit policy {policy} serves tokens of the shallow layers unchecked: replies can differ from the whole model&apos;s.</source>
        <translation>Die Ausstiegsregel {policy} liefert Token der flachen Schichten ungeprüft: Antworten können von denen des ganzen Modells abweichen.</translation>
    </message>
    <message>
        <source>Every draft is verified by the whole model, but on this machine wider batches round differently, so that a reply may now and then differ.</source>
        <translation>Jeder Entwurf wird vom ganzen Modell geprüft, aber auf diesem Rechner runden breitere Stapel anders, sodass eine Antwort hin und wieder abweichen kann.</translation>
    </message>
    <message>
        <source>first {exit_layer} of {layers} layers draft from {draft_vocabulary:,} of {vocab:,} tokens; all layers verify</source>
        <translation>die ersten {exit_layer} von {layers} Schichten entwerfen aus {draft_vocabulary:,} von {vocab:,} Token; alle Schichten prüfen</translation>
    </message>
    <message>
        <source>Left out</source>
        <translation>Weggelassen</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Cut</source>
        <translation>Schnitt</translation>
    </message>
    <message>
        <source>Bit-equal</source>
        <translation>Bitgleich</translation>
    </message>
    <message>
        <source>Widest batch used</source>
        <translation>Breitester Stapel</translation>
    </message>
    <message>
        <source>Decoding</source>
        <translation>Dekodieren</translation>
    </message>
    <message>
        <source>Arithmetic</source>
        <translation>Rechenart</translation>
    </message>
    <message>
        <source>Computed by</source>
        <translation>Gerechnet von</translation>
    </message>
    <message>
        <source>Processor and build</source>
        <translation>Prozessor und Programm</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>batches of {widths} against single steps at {positions} positions (measured)</source>
        <translation>Stapel von {widths} gegen Einzelschritte an {positions} Stellen (gemessen)</translation>
    </message>
    <message>
        <source>batches of {widths} against single steps at {positions} positions; not at {unequal} (margin {margin:.2g} in a logit) (measured)</source>
        <translation>Stapel von {widths} gegen Einzelschritte an {positions} Stellen; nicht bei {unequal} (Abstand {margin:.2g} in einem Logit) (gemessen)</translation>
    </message>
    <message>
        <source>greedy</source>
        <translation>das wahrscheinlichste Token</translation>
    </message>
    <message>
        <source>temperature {t}</source>
        <translation>Temperatur {t}</translation>
    </message>
    <message>
        <source>{chosen}, {drafts} drafted at a time; {mode}; exit policy {policy}</source>
        <translation>{chosen}, je {drafts} entworfen; {mode}; Ausstiegsregel {policy}</translation>
    </message>
    <message>
        <source>flash attention</source>
        <translation>Flash-Attention</translation>
    </message>
    <message>
        <source>plain attention</source>
        <translation>einfache Attention</translation>
    </message>
    <message>
        <source>weights repacked</source>
        <translation>Gewichte umgepackt</translation>
    </message>
    <message>
        <source>weights as stored</source>
        <translation>Gewichte wie gespeichert</translation>
    </message>
    <message>
        <source>{threads} threads</source>
        <translation>{threads} Threads</translation>
    </message>
    <message>
        <source>{threads} threads on performance cores {performance_cores}</source>
        <translation>{threads} Threads auf den Leistungskernen {performance_cores}</translation>
    </message>
    <message>
        <source>exact</source>
        <translation>exakt</translation>
    </message>
    <message>
        <source>lossless up to rounding</source>
        <translation>verlustfrei bis auf Rundung</translation>
    </message>
    <message>
        <source>lossy</source>
        <translation>verlustbehaftet</translation>
    </message>
</context>
<context>
    <name>CertificateDialog</name>
    <message>
        <source>Exactness certificate</source>
        <translation>Bescheinigung der Genauigkeit</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>Copy the certificate</source>
        <translation>Die Bescheinigung kopieren</translation>
    </message>
    <message>
        <source>Certificate</source>
        <translation>Bescheinigung</translation>
    </message>
</context>
<context>
    <name>Closing</name>
    <message>
        <source>Jobs are running</source>
        <translation>Aufträge laufen</translation>
    </message>
    <message>
        <source>{count} job(s) are running or waiting. They can go on in the background: the next time this program is opened, the Jobs window shows how they stand.</source>
        <translation>{count} Aufträge laufen oder warten. Sie können im Hintergrund weiterlaufen: Beim nächsten Öffnen des Programms zeigt das Fenster Aufträge, wie sie stehen.</translation>
    </message>
    <message>
        <source>Let them &amp;go on</source>
        <translation>&amp;Weiterlaufen lassen</translation>
    </message>
    <message>
        <source>&amp;End them</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <source>&amp;Stay here</source>
        <translation>&amp;Hier bleiben</translation>
    </message>
</context>
<context>
    <name>CompareDialog</name>
    <message>
        <source>Compare with and without PADS</source>
        <translation>Mit und ohne PADS vergleichen</translation>
    </message>
    <message>
        <source>The same sound is heard twice, first without PADS and then with it, in real time. Meanwhile the conversation in the window stops, because both need the processor&apos;s cores.</source>
        <translation>Derselbe Ton wird zweimal gehört, erst ohne und dann mit PADS, in Echtzeit. Währenddessen hält das Gespräch im Fenster an, weil beides die Kerne des Prozessors braucht.</translation>
    </message>
    <message>
        <source>Recording to compare</source>
        <translation>Aufnahme zum Vergleichen</translation>
    </message>
    <message>
        <source>&amp;Start</source>
        <translation>&amp;Start</translation>
    </message>
    <message>
        <source>Start the comparison</source>
        <translation>Den Vergleich starten</translation>
    </message>
    <message>
        <source>C&amp;ancel</source>
        <translation>&amp;Abbrechen</translation>
    </message>
    <message>
        <source>Cancel the comparison</source>
        <translation>Den Vergleich abbrechen</translation>
    </message>
    <message>
        <source>Progress of the comparison</source>
        <translation>Fortschritt des Vergleichs</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Demo: {title}</source>
        <translation>Demo: {title}</translation>
    </message>
    <message>
        <source>Open a sound file …</source>
        <translation>Tondatei öffnen …</translation>
    </message>
    <message>
        <source>File: {name}</source>
        <translation>Datei: {name}</translation>
    </message>
    <message>
        <source>The conversation in the window is being stopped …</source>
        <translation>Das Gespräch im Fenster wird angehalten …</translation>
    </message>
    <message>
        <source>Starting …</source>
        <translation>Startet …</translation>
    </message>
    <message>
        <source>{step}, about {eta:.0f} s left. {about}</source>
        <translation>{step}, noch etwa {eta:.0f} s. {about}</translation>
    </message>
    <message>
        <source>{step}. {about}</source>
        <translation>{step}. {about}</translation>
    </message>
    <message>
        <source>Cancelled. {about}</source>
        <translation>Abgebrochen. {about}</translation>
    </message>
    <message>
        <source>Nothing was compared: {reason}</source>
        <translation>Nichts wurde verglichen: {reason}</translation>
    </message>
    <message>
        <source>Kept in {folder}</source>
        <translation>Aufbewahrt in {folder}</translation>
    </message>
    <message>
        <source>The comparison is being cancelled …</source>
        <translation>Der Vergleich wird abgebrochen …</translation>
    </message>
    <message>
        <source>Open a sound file</source>
        <translation>Tondatei öffnen</translation>
    </message>
    <message>
        <source>Sound (*.wav *.flac *.ogg);;All files (*)</source>
        <translation>Ton (*.wav *.flac *.ogg);;Alle Dateien (*)</translation>
    </message>
</context>
<context>
    <name>Comparison</name>
    <message>
        <source>turn</source>
        <translation>Beitrag</translation>
    </message>
    <message>
        <source>PADS
off</source>
        <translation>PADS
aus</translation>
    </message>
    <message>
        <source>PADS
on</source>
        <translation>PADS
an</translation>
    </message>
    <message>
        <source>earlier</source>
        <translation>früher</translation>
    </message>
    <message>
        <source>hidden</source>
        <translation>verborgen</translation>
    </message>
    <message>
        <source>visible</source>
        <translation>sichtbar</translation>
    </message>
    <message>
        <source>wasted</source>
        <translation>verworfen</translation>
    </message>
    <message>
        <source>replies</source>
        <translation>Antworten</translation>
    </message>
    <message>
        <source>Turns</source>
        <translation>Beiträge</translation>
    </message>
    <message>
        <source>First word without and with PADS, and deep work with it</source>
        <translation>Erstes Wort ohne und mit PADS, und die tiefe Arbeit mit PADS</translation>
    </message>
    <message>
        <source>Both timelines</source>
        <translation>Beide Zeitleisten</translation>
    </message>
    <message>
        <source>What was said</source>
        <translation>Was gesagt wurde</translation>
    </message>
    <message>
        <source>Milliseconds, {evidence}: from the end of speech to the first word; deep work with PADS on. Choose a turn to see it.</source>
        <translation>Millisekunden, {evidence}: vom Ende des Sprechens bis zum ersten Wort; tiefe Arbeit mit PADS. Wählen Sie einen Beitrag, um ihn zu sehen.</translation>
    </message>
    <message>
        <source>Not measured at rest, so the figures tell of other things than PADS, too: {why}.</source>
        <translation>Nicht in Ruhe gemessen, so dass die Zahlen auch von anderem als von PADS erzählen: {why}.</translation>
    </message>
    <message>
        <source>You: {words}</source>
        <translation>Sie: {words}</translation>
    </message>
    <message>
        <source>Reply of both, {n} of {n} token ids equal: {reply}</source>
        <translation>Antwort beider, {n} von {n} Token-Nummern gleich: {reply}</translation>
    </message>
    <message>
        <source>Replies: {how}.</source>
        <translation>Antworten: {how}.</translation>
    </message>
    <message>
        <source>no reply</source>
        <translation>keine Antwort</translation>
    </message>
</context>
<context>
    <name>Controls</name>
    <message>
        <source>Source of sound</source>
        <translation>Tonquelle</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>Start or stop the chosen source</source>
        <translation>Die gewählte Quelle starten oder anhalten</translation>
    </message>
    <message>
        <source>Sound …</source>
        <translation>Ton …</translation>
    </message>
    <message>
        <source>Choose and test the microphone</source>
        <translation>Mikrofon wählen und prüfen</translation>
    </message>
    <message>
        <source>Compare …</source>
        <translation>Vergleichen …</translation>
    </message>
    <message>
        <source>Compare a recording with and without PADS</source>
        <translation>Eine Aufnahme mit und ohne PADS vergleichen</translation>
    </message>
    <message>
        <source>The same sound without and with PADS (C)</source>
        <translation>Derselbe Ton ohne und mit PADS (C)</translation>
    </message>
    <message>
        <source>On: deep work starts inside your pauses. Off: after your turn.</source>
        <translation>An: Tiefe Arbeit beginnt in Ihren Pausen. Aus: erst nach Ihrem Beitrag.</translation>
    </message>
    <message>
        <source>Start of the engine</source>
        <translation>Start der Maschine</translation>
    </message>
    <message>
        <source>Show the certificate</source>
        <translation>Die Bescheinigung zeigen</translation>
    </message>
    <message>
        <source>listening</source>
        <translation>hört zu</translation>
    </message>
    <message>
        <source>you speak</source>
        <translation>Sie sprechen</translation>
    </message>
    <message>
        <source>you pause</source>
        <translation>Sie schweigen</translation>
    </message>
    <message>
        <source>replying</source>
        <translation>antwortet</translation>
    </message>
    <message>
        <source>starting …</source>
        <translation>startet …</translation>
    </message>
    <message>
        <source>Demo: {title}</source>
        <translation>Demo: {title}</translation>
    </message>
    <message>
        <source>Microphone</source>
        <translation>Mikrofon</translation>
    </message>
    <message>
        <source>Open a sound file …</source>
        <translation>Tondatei öffnen …</translation>
    </message>
    <message>
        <source>File: {name}</source>
        <translation>Datei: {name}</translation>
    </message>
    <message>
        <source>ready</source>
        <translation>bereit</translation>
    </message>
    <message>
        <source>not started</source>
        <translation>nicht gestartet</translation>
    </message>
    <message>
        <source>PADS rests: {reason}</source>
        <translation>PADS ruht: {reason}</translation>
    </message>
    <message>
        <source>The processor is hot (measured), so nothing is started in pauses.</source>
        <translation>Der Prozessor ist heiß (gemessen), deshalb wird in Pausen nichts begonnen.</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stopp</translation>
    </message>
    <message>
        <source>decoder {state}</source>
        <translation>Dekodierer: {state}</translation>
    </message>
    <message>
        <source>no sound arrives</source>
        <translation>es kommt kein Ton an</translation>
    </message>
    <message>
        <source>{sentence} Click for the certificate.</source>
        <translation>{sentence} Klicken Sie für die Bescheinigung.</translation>
    </message>
    <message>
        <source>{verdict}: show the certificate</source>
        <translation>{verdict}: die Bescheinigung zeigen</translation>
    </message>
    <message>
        <source>exit {exit} of {layers} · {policy}</source>
        <translation>Ausstieg {exit} von {layers} · {policy}</translation>
    </message>
    <message>
        <source>{model}: the first {exit} of {layers} layers draft.</source>
        <translation>{model}: Die ersten {exit} von {layers} Schichten entwerfen.</translation>
    </message>
    <message>
        <source>Open a sound file</source>
        <translation>Tondatei öffnen</translation>
    </message>
    <message>
        <source>Sound (*.wav *.flac *.ogg);;All files (*)</source>
        <translation>Ton (*.wav *.flac *.ogg);;Alle Dateien (*)</translation>
    </message>
</context>
<context>
    <name>Conversation</name>
    <message>
        <source>Conversation</source>
        <translation>Gespräch</translation>
    </message>
    <message>
        <source>Choose a demo and press Start: the engine hears it as it would hear you.

Or choose the microphone and speak. Nothing leaves this machine.</source>
        <translation>Wählen Sie eine Demo und drücken Sie Start: Sie wird gehört, wie auch Sie gehört würden.

Oder wählen Sie das Mikrofon und sprechen Sie. Nichts verlässt diesen Rechner.</translation>
    </message>
    <message>
        <source>{act} · deep {p:.2f}</source>
        <translation>{act} · tief {p:.2f}</translation>
    </message>
    <message>
        <source>{act} · shallow {p:.2f}</source>
        <translation>{act} · flach {p:.2f}</translation>
    </message>
    <message>
        <source>(no words)</source>
        <translation>(keine Worte)</translation>
    </message>
    <message>
        <source>one start thrown away</source>
        <translation>ein Start verworfen</translation>
    </message>
    <message>
        <source>{n} starts thrown away</source>
        <translation>{n} Starts verworfen</translation>
    </message>
    <message>
        <source>first word after {ms:.0f} ms (measured)</source>
        <translation>erstes Wort nach {ms:.0f} ms (gemessen)</translation>
    </message>
    <message>
        <source>{ms:.0f} ms of deep work hidden in your pause</source>
        <translation>{ms:.0f} ms tiefe Arbeit in Ihrer Pause verborgen</translation>
    </message>
    <message>
        <source>started when the turn was over</source>
        <translation>begonnen, als der Beitrag zu Ende war</translation>
    </message>
    <message>
        <source>you interrupted it after {n} words (derived)</source>
        <translation>von Ihnen nach {n} Wörtern unterbrochen (abgeleitet)</translation>
    </message>
    <message>
        <source>{n} blocks of its sound came late (measured)</source>
        <translation>{n} Blöcke ihres Tons kamen zu spät (gemessen)</translation>
    </message>
</context>
<context>
    <name>Cores</name>
    <message>
        <source>Load of every core</source>
        <translation>Last jedes Kerns</translation>
    </message>
</context>
<context>
    <name>Counter</name>
    <message>
        <source>You speak</source>
        <translation>Sie sprechen</translation>
    </message>
    <message>
        <source>You pause</source>
        <translation>Sie pausieren</translation>
    </message>
    <message>
        <source>this answer was not started early · {evidence}</source>
        <translation>diese Antwort wurde nicht vorab begonnen · {evidence}</translation>
    </message>
    <message>
        <source>hidden in your pause</source>
        <translation>in Ihrer Pause verborgen</translation>
    </message>
    <message>
        <source>working inside your pause …</source>
        <translation>arbeitet in Ihrer Pause …</translation>
    </message>
    <message>
        <source>of deep work you did not wait for · {evidence}</source>
        <translation>tiefe Arbeit, auf die Sie nicht gewartet haben · {evidence}</translation>
    </message>
    <message>
        <source>the work had not begun before your turn was over · {evidence}</source>
        <translation>die Arbeit hatte vor dem Ende Ihres Beitrags nicht begonnen · {evidence}</translation>
    </message>
    <message>
        <source>{reason}: nothing of it was shown · {evidence}</source>
        <translation>{reason}: Nichts davon wurde gezeigt · {evidence}</translation>
    </message>
    <message>
        <source>thrown away</source>
        <translation>verworfen</translation>
    </message>
    <message>
        <source>slides work under your pauses</source>
        <translation>schiebt Arbeit unter Ihre Pausen</translation>
    </message>
    <message>
        <source>so that the answer is there when you stop</source>
        <translation>damit die Antwort da ist, wenn Sie enden</translation>
    </message>
    <message>
        <source>{ms:.0f} ms</source>
        <translation>{ms:.0f} ms</translation>
    </message>
</context>
<context>
    <name>DialogueActs</name>
    <message>
        <source>statement</source>
        <translation>Aussage</translation>
    </message>
    <message>
        <source>question</source>
        <translation>Frage</translation>
    </message>
    <message>
        <source>request</source>
        <translation>Bitte</translation>
    </message>
    <message>
        <source>promise</source>
        <translation>Zusage</translation>
    </message>
</context>
<context>
    <name>Engine</name>
    <message>
        <source>PADS off: engine starts</source>
        <translation>PADS aus: Start</translation>
    </message>
    <message>
        <source>PADS off: listening</source>
        <translation>PADS aus: hört zu</translation>
    </message>
    <message>
        <source>PADS on: engine starts</source>
        <translation>PADS an: Start</translation>
    </message>
    <message>
        <source>PADS on: listening</source>
        <translation>PADS an: hört zu</translation>
    </message>
    <message>
        <source>same</source>
        <translation>gleich</translation>
    </message>
    <message>
        <source>cut short</source>
        <translation>abgebrochen</translation>
    </message>
    <message>
        <source>different</source>
        <translation>verschieden</translation>
    </message>
    <message>
        <source>heard differently</source>
        <translation>anders verstanden</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>fehlt</translation>
    </message>
    <message>
        <source>Measuring thread counts</source>
        <translation>Anzahl der Threads messen</translation>
    </message>
    <message>
        <source>Measuring drafts</source>
        <translation>Entwürfe messen</translation>
    </message>
    <message>
        <source>Timing decoding and copying</source>
        <translation>Zeit von Dekodieren und Kopieren messen</translation>
    </message>
    <message>
        <source>First word {ms:.0f} ms earlier (median{between}; {evidence}).</source>
        <translation>Erstes Wort {ms:.0f} ms früher (Median{between}; {evidence}).</translation>
    </message>
    <message>
        <source>{same} of {total} replies are identical, token id by token id ({evidence}).</source>
        <translation>{same} von {total} Antworten sind gleich, Token für Token ({evidence}).</translation>
    </message>
    <message>
        <source>First word {ms:.0f} ms later (median{between}; {evidence}).</source>
        <translation>Erstes Wort {ms:.0f} ms später (Median{between}; {evidence}).</translation>
    </message>
    <message>
        <source>No turn was heard, so there are no replies to compare.</source>
        <translation>Kein Beitrag wurde gehört, also gibt es keine Antworten zu vergleichen.</translation>
    </message>
    <message>
        <source>{same} of {total} replies are identical, token id by token id; {rest} ({evidence}).</source>
        <translation>{same} von {total} Antworten sind gleich, Token für Token; {rest} ({evidence}).</translation>
    </message>
    <message>
        <source>: no difference is proved</source>
        <translation>: kein Unterschied ist bewiesen</translation>
    </message>
    <message>
        <source>The first word cannot be compared: {reason}.</source>
        <translation>Das erste Wort lässt sich nicht vergleichen: {reason}.</translation>
    </message>
    <message>
        <source>, {level:.0%} interval {low:.0f} to {high:.0f}</source>
        <translation>, {level:.0%}-Intervall {low:.0f} bis {high:.0f}</translation>
    </message>
    <message>
        <source>Racing ways to decode</source>
        <translation>Dekodierarten um die Wette laufen lassen</translation>
    </message>
    <message>
        <source>Resampling meetings</source>
        <translation>Besprechungen neu ziehen</translation>
    </message>
    <message>
        <source>Finding pauses</source>
        <translation>Pausen suchen</translation>
    </message>
    <message>
        <source>Hearing real speech</source>
        <translation>Echte Sprache hören</translation>
    </message>
    <message>
        <source>the decoder process has not started yet</source>
        <translation>der Dekodierprozess ist noch nicht gestartet</translation>
    </message>
    <message>
        <source>Letting the processor cool down</source>
        <translation>Den Prozessor abkühlen lassen</translation>
    </message>
    <message>
        <source>Decoding without a rest</source>
        <translation>Dekodieren ohne Rast</translation>
    </message>
    <message>
        <source>Fitting without each meeting</source>
        <translation>Ohne je eine Besprechung anpassen</translation>
    </message>
    <message>
        <source>Loading the language model</source>
        <translation>Sprachmodell laden</translation>
    </message>
    <message>
        <source>Preparing the language model&apos;s halves</source>
        <translation>Die Hälften des Sprachmodells vorbereiten</translation>
    </message>
    <message>
        <source>Checking that drafts change nothing</source>
        <translation>Prüfen, dass Entwürfe nichts ändern</translation>
    </message>
    <message>
        <source>Language model loaded</source>
        <translation>Sprachmodell geladen</translation>
    </message>
    <message>
        <source>this machine shows no energy counter (Intel and newer AMD processors have one, outside virtual machines; on a real one try `sudo modprobe intel_rapl_msr`)</source>
        <translation>diese Maschine zeigt keinen Energiezähler (Prozessoren von Intel und neuere von AMD haben einen, außerhalb virtueller Maschinen; auf einer echten hilft vielleicht `sudo modprobe intel_rapl_msr`)</translation>
    </message>
    <message>
        <source>power is known from the second reading on</source>
        <translation>die Leistung ist ab der zweiten Ablesung bekannt</translation>
    </message>
    <message>
        <source>the energy counter may be read by the administrator only; allow it with `sudo chmod a+r /sys/class/powercap/intel-rapl:*/energy_uj`, until the next restart</source>
        <translation>den Energiezähler darf nur der Verwalter lesen; erlauben Sie es mit `sudo chmod a+r /sys/class/powercap/intel-rapl:*/energy_uj`, bis zum nächsten Start</translation>
    </message>
    <message>
        <source>the process has ended</source>
        <translation>der Prozess ist zu Ende</translation>
    </message>
    <message>
        <source>the system does not let this program read its own memory map</source>
        <translation>das System lässt dieses Programm seine eigene Speicherkarte nicht lesen</translation>
    </message>
    <message>
        <source>this system does not tell how processes share memory</source>
        <translation>dieses System sagt nicht, wie Prozesse sich Speicher teilen</translation>
    </message>
    <message>
        <source>this machine shows no processor temperature; on a real machine load its sensor driver (`sudo modprobe coretemp`), in a virtual machine there is none</source>
        <translation>diese Maschine zeigt keine Temperatur des Prozessors; auf einer echten Maschine laden Sie den Treiber des Sensors (`sudo modprobe coretemp`), in einer virtuellen gibt es keinen</translation>
    </message>
    <message>
        <source>this machine shows no temperature of single cores</source>
        <translation>diese Maschine zeigt keine Temperatur einzelner Kerne</translation>
    </message>
    <message>
        <source>a virtual machine does not see the real clock of its cores</source>
        <translation>eine virtuelle Maschine sieht den echten Takt ihrer Kerne nicht</translation>
    </message>
    <message>
        <source>this system does not tell the clock of its cores</source>
        <translation>dieses System sagt den Takt seiner Kerne nicht</translation>
    </message>
    <message>
        <source>this machine does not count thermal throttling (Intel processors do, outside virtual machines)</source>
        <translation>diese Maschine zählt keine Drosselung durch Wärme (Intel-Prozessoren tun es, außerhalb virtueller Maschinen)</translation>
    </message>
    <message>
        <source>Reading DailyDialog</source>
        <translation>DailyDialog lesen</translation>
    </message>
    <message>
        <source>Fitting</source>
        <translation>Anpassen</translation>
    </message>
    <message>
        <source>Evaluating on the test split</source>
        <translation>Am Testteil auswerten</translation>
    </message>
    <message>
        <source>Reading corpora</source>
        <translation>Korpora lesen</translation>
    </message>
    <message>
        <source>Answering held-out prompts</source>
        <translation>Zurückgehaltene Fragen beantworten</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>Trainieren</translation>
    </message>
    <message>
        <source>Measuring agreement</source>
        <translation>Übereinstimmung messen</translation>
    </message>
    <message>
        <source>Writing models</source>
        <translation>Modelle schreiben</translation>
    </message>
    <message>
        <source>Measuring coverage</source>
        <translation>Abdeckung messen</translation>
    </message>
    <message>
        <source>Talking</source>
        <translation>Gespräche führen</translation>
    </message>
    <message>
        <source>Encoding text</source>
        <translation>Text kodieren</translation>
    </message>
    <message>
        <source>Looking for items</source>
        <translation>Einträge suchen</translation>
    </message>
    <message>
        <source>Choosing cues on left-out meetings</source>
        <translation>Merkmale an ausgelassenen Besprechungen wählen</translation>
    </message>
    <message>
        <source>Hearing pauses</source>
        <translation>Pausen hören</translation>
    </message>
    <message>
        <source>the turn is probably over and the answer probably deep</source>
        <translation>der Beitrag ist wohl zu Ende, und die Antwort braucht wohl Tiefe</translation>
    </message>
    <message>
        <source>no words yet</source>
        <translation>noch keine Wörter</translation>
    </message>
    <message>
        <source>only a back-channel</source>
        <translation>nur ein Hörersignal</translation>
    </message>
    <message>
        <source>PADS is off</source>
        <translation>PADS ist aus</translation>
    </message>
    <message>
        <source>PADS rests: the processor is hot</source>
        <translation>PADS rastet: Der Prozessor ist heiß</translation>
    </message>
    <message>
        <source>the turn is probably not over</source>
        <translation>der Beitrag ist wohl nicht zu Ende</translation>
    </message>
    <message>
        <source>a shallow answer is probably enough</source>
        <translation>eine flache Antwort genügt wohl</translation>
    </message>
    <message>
        <source>the last reply is still being given</source>
        <translation>die letzte Antwort läuft noch</translation>
    </message>
    <message>
        <source>Loading speech detection and turn end</source>
        <translation>Spracherkennung und Beitragsende laden</translation>
    </message>
    <message>
        <source>Loading speech recognition</source>
        <translation>Verschriftung laden</translation>
    </message>
    <message>
        <source>Loading dialogue acts</source>
        <translation>Dialogakte laden</translation>
    </message>
    <message>
        <source>Trying the listening models</source>
        <translation>Hörmodelle werden erprobt</translation>
    </message>
    <message>
        <source>the conversation ended</source>
        <translation>das Gespräch endete</translation>
    </message>
    <message>
        <source>other words were understood</source>
        <translation>andere Wörter wurden verstanden</translation>
    </message>
    <message>
        <source>the branch took too long</source>
        <translation>der Zweig dauerte zu lange</translation>
    </message>
    <message>
        <source>the sound ended before the turn did</source>
        <translation>der Ton endete vor dem Beitrag</translation>
    </message>
    <message>
        <source>nothing was understood</source>
        <translation>nichts wurde verstanden</translation>
    </message>
    <message>
        <source>speech went on</source>
        <translation>es wurde weitergesprochen</translation>
    </message>
</context>
<context>
    <name>Evidence</name>
    <message>
        <source>measured</source>
        <translation>gemessen</translation>
    </message>
    <message>
        <source>target</source>
        <translation>Zielgerät</translation>
    </message>
    <message>
        <source>derived</source>
        <translation>abgeleitet</translation>
    </message>
    <message>
        <source>extrapolated</source>
        <translation>extrapoliert</translation>
    </message>
    <message>
        <source>published</source>
        <translation>veröffentlicht</translation>
    </message>
    <message>
        <source>scripted</source>
        <translation>vorgegeben</translation>
    </message>
    <message>
        <source>unavailable</source>
        <translation>nicht verfügbar</translation>
    </message>
</context>
<context>
    <name>Explanation</name>
    <message>
        <source>Reply {n}: “{text}”. Its words came within {ms:.0f} ms {measured}.</source>
        <translation>Antwort {n}: „{text}“. Ihre Wörter kamen innerhalb von {ms:.0f} ms {measured}.</translation>
    </message>
    <message>
        <source>Turn {n}</source>
        <translation>Beitrag {n}</translation>
    </message>
    <message>
        <source>Turn {n}, “{text}”</source>
        <translation>Beitrag {n}, „{text}“</translation>
    </message>
    <message>
        <source>{turn}: no answer ({reason}); {ms:.0f} ms of deep work thrown away {measured}.</source>
        <translation>{turn}: keine Antwort ({reason}); {ms:.0f} ms tiefe Arbeit verworfen {measured}.</translation>
    </message>
    <message>
        <source>{turn}: not finished yet.</source>
        <translation>{turn}: noch nicht zu Ende.</translation>
    </message>
    <message>
        <source>{turn}: first word {first}. Deep work: {hidden:.0f} ms hidden, {visible:.0f} ms visible, {wasted:.0f} ms thrown away {measured}.</source>
        <translation>{turn}: erstes Wort {first}. Tiefe Arbeit: {hidden:.0f} ms verborgen, {visible:.0f} ms sichtbar, {wasted:.0f} ms verworfen {measured}.</translation>
    </message>
    <message>
        <source>{first:.0f} ms after the turn&apos;s end {measured}, without PADS {without:.0f} ms {derived}</source>
        <translation>{first:.0f} ms nach dem Ende des Beitrags {measured}, ohne PADS {without:.0f} ms {derived}</translation>
    </message>
    <message>
        <source>{first:.0f} ms after the turn&apos;s end {measured}, as without PADS</source>
        <translation>{first:.0f} ms nach dem Ende des Beitrags {measured}, wie ohne PADS</translation>
    </message>
    <message>
        <source>[measured; the step at the turn&apos;s end divided by time, derived]</source>
        <translation>[gemessen; der Schritt am Ende des Beitrags nach der Zeit geteilt, abgeleitet]</translation>
    </message>
    <message>
        <source>{ms:.0f} ms in the model&apos;s first layers {evidence}: they read along as you speak.</source>
        <translation>{ms:.0f} ms in den ersten Schichten des Modells {evidence}: Sie lesen mit, während Sie sprechen.</translation>
    </message>
    <message>
        <source>{ms:.0f} ms of deep work {evidence}, started early. Your turn&apos;s end decides its fate.</source>
        <translation>{ms:.0f} ms tiefe Arbeit {evidence}, vorab begonnen. Das Ende Ihres Beitrags entscheidet, was daraus wird.</translation>
    </message>
    <message>
        <source>{ms:.0f} ms of deep work hidden in your pause {evidence}; without PADS it would have been waited for {derived}.</source>
        <translation>{ms:.0f} ms tiefe Arbeit in Ihrer Pause verborgen {evidence}; ohne PADS wäre darauf gewartet worden {derived}.</translation>
    </message>
    <message>
        <source>{ms:.0f} ms of deep work after the end of your turn, visible {evidence}.</source>
        <translation>{ms:.0f} ms tiefe Arbeit nach dem Ende Ihres Beitrags, sichtbar {evidence}.</translation>
    </message>
    <message>
        <source>{ms:.0f} ms of deep work thrown away {evidence}: {why}. Nothing was shown.</source>
        <translation>{ms:.0f} ms tiefe Arbeit verworfen {evidence}: {why}. Nichts wurde gezeigt.</translation>
    </message>
    <message>
        <source>Deep work starts: {reason}. Act “{act}”, {ended}, {deep} {measured}; decided {ms:.0f} ms after the last speech {measured}.</source>
        <translation>Tiefe Arbeit beginnt: {reason}. Sprechakt „{act}“, {ended}, {deep} {measured}; entschieden {ms:.0f} ms nach dem letzten Laut {measured}.</translation>
    </message>
    <message>
        <source>Deep work waits: {reason}. Act “{act}”, {ended}, {deep} {measured}; decided {ms:.0f} ms after the last speech {measured}.</source>
        <translation>Tiefe Arbeit wartet: {reason}. Sprechakt „{act}“, {ended}, {deep} {measured}; entschieden {ms:.0f} ms nach dem letzten Laut {measured}.</translation>
    </message>
    <message>
        <source>P(turn ends)</source>
        <translation>P(Beitrag endet)</translation>
    </message>
    <message>
        <source>P(deep)</source>
        <translation>P(tief)</translation>
    </message>
    <message>
        <source>Deep work was started in your pause at {at:.2f} s {measured}: {why}.</source>
        <translation>In Ihrer Pause wurde bei {at:.2f} s tiefe Arbeit begonnen {measured}: {why}.</translation>
    </message>
    <message>
        <source>The early start was thrown away at {at:.2f} s {measured}: {why}. Nothing of it was shown.</source>
        <translation>Der frühe Start wurde bei {at:.2f} s verworfen {measured}: {why}. Nichts davon wurde gezeigt.</translation>
    </message>
    <message>
        <source>Your turn was over at {at:.2f} s {measured}: “{text}”.</source>
        <translation>Ihr Beitrag war bei {at:.2f} s zu Ende {measured}: „{text}“.</translation>
    </message>
    <message>
        <source>First word {first}.</source>
        <translation>Erstes Wort {first}.</translation>
    </message>
</context>
<context>
    <name>Exporting</name>
    <message>
        <source>Report (HTML) …</source>
        <translation>Bericht (HTML) …</translation>
    </message>
    <message>
        <source>Tables (CSV) …</source>
        <translation>Tabellen (CSV) …</translation>
    </message>
    <message>
        <source>Trace for Perfetto and chrome://tracing (JSON) …</source>
        <translation>Ablauf für Perfetto und chrome://tracing (JSON) …</translation>
    </message>
    <message>
        <source>Picture (PNG) …</source>
        <translation>Bild (PNG) …</translation>
    </message>
    <message>
        <source>Export a session</source>
        <translation>Sitzung exportieren</translation>
    </message>
    <message>
        <source>Exported to {file}</source>
        <translation>Exportiert nach {file}</translation>
    </message>
</context>
<context>
    <name>FeelIt</name>
    <message>
        <source>Feel it</source>
        <translation>Spüren Sie es</translation>
    </message>
    <message>
        <source>&amp;Next visitor</source>
        <translation>&amp;Nächster Besucher</translation>
    </message>
    <message>
        <source>Which answer comes quicker?</source>
        <translation>Welche Antwort kommt schneller?</translation>
    </message>
    <message>
        <source>The same question is asked twice. Watch when the answer begins, and say which of the two felt quicker. {n} questions, two minutes. If you cannot tell, guess.</source>
        <translation>Dieselbe Frage wird zweimal gestellt. Achten Sie darauf, wann die Antwort beginnt, und sagen Sie, welche der beiden schneller wirkte. {n} Fragen, zwei Minuten. Wenn Sie es nicht sagen können, raten Sie.</translation>
    </message>
    <message>
        <source>&amp;Start with recorded questions</source>
        <translation>Mit aufgenommenen Fragen &amp;starten</translation>
    </message>
    <message>
        <source>Start and &amp;ask yourself, by microphone</source>
        <translation>Starten und selbst &amp;fragen, mit dem Mikrofon</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>From your last word to the first word of the answer (measured)</source>
        <translation>Von Ihrem letzten Wort bis zum ersten Wort der Antwort (gemessen)</translation>
    </message>
    <message>
        <source>Next visitor</source>
        <translation>Nächster Besucher</translation>
    </message>
    <message>
        <source>Question {n} of {all}.</source>
        <translation>Frage {n} von {all}.</translation>
    </message>
    <message>
        <source>Ask any question, and wait for the answer.</source>
        <translation>Stellen Sie eine beliebige Frage und warten Sie auf die Antwort.</translation>
    </message>
    <message>
        <source>Ask the same question again.</source>
        <translation>Stellen Sie dieselbe Frage noch einmal.</translation>
    </message>
    <message>
        <source>Watch when the answer begins.</source>
        <translation>Achten Sie darauf, wann die Antwort beginnt.</translation>
    </message>
    <message>
        <source>The answer:</source>
        <translation>Die Antwort:</translation>
    </message>
    <message>
        <source>♪ The question is being asked</source>
        <translation>♪ Die Frage wird gestellt</translation>
    </message>
    <message>
        <source>…</source>
        <translation>…</translation>
    </message>
    <message>
        <source>Which answer felt quicker? If you cannot tell, guess.</source>
        <translation>Welche Antwort wirkte schneller? Wenn Sie es nicht sagen können, raten Sie.</translation>
    </message>
    <message>
        <source>In {n} of {all} questions the answer with PADS felt quicker to you.</source>
        <translation>Bei {n} von {all} Fragen wirkte die Antwort mit PADS auf Sie schneller.</translation>
    </message>
</context>
<context>
    <name>Field</name>
    <message>
        <source>Browse …</source>
        <translation>Durchsuchen …</translation>
    </message>
    <message>
        <source>Browse for {what}</source>
        <translation>Durchsuchen nach: {what}</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>ja</translation>
    </message>
    <message>
        <source>not given</source>
        <translation>nicht angegeben</translation>
    </message>
</context>
<context>
    <name>Figure</name>
    <message>
        <source>no turn yet</source>
        <translation>noch kein Beitrag</translation>
    </message>
</context>
<context>
    <name>FirstRunDialog</name>
    <message>
        <source>First steps</source>
        <translation>Erste Schritte</translation>
    </message>
    <message>
        <source>&amp;Back</source>
        <translation>&amp;Zurück</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Close the first steps</source>
        <translation>Die ersten Schritte schließen</translation>
    </message>
    <message>
        <source>Choose the microphone you speak into, press “Say something” and speak for three seconds. Without a microphone, skip this step: the demos need none.</source>
        <translation>Wählen Sie das Mikrofon, in das Sie sprechen, drücken Sie „Sagen Sie etwas“ und sprechen Sie drei Sekunden lang. Ohne Mikrofon überspringen Sie diesen Schritt: Die Demos brauchen keines.</translation>
    </message>
    <message>
        <source>PADS Live works on this machine alone, with these models. What you say is sent nowhere.</source>
        <translation>PADS Live arbeitet nur auf diesem Rechner, mit diesen Modellen. Was Sie sagen, wird nirgendwohin geschickt.</translation>
    </message>
    <message>
        <source>A recorded person talks with the machine. Watch the lane “decoder”: deep work that slides under a pause has its own colour, and the answer is there when the turn is over.</source>
        <translation>Eine aufgenommene Person spricht mit dem Rechner. Achten Sie auf die Spur „Dekodierer“: Tiefe Arbeit, die unter eine Pause rutscht, hat ihre eigene Farbe, und die Antwort ist da, wenn der Beitrag zu Ende ist.</translation>
    </message>
    <message>
        <source>Demo to play</source>
        <translation>Demo zum Abspielen</translation>
    </message>
    <message>
        <source>Step 1 of 3: the microphone</source>
        <translation>Schritt 1 von 3: das Mikrofon</translation>
    </message>
    <message>
        <source>Step 2 of 3: the models</source>
        <translation>Schritt 2 von 3: die Modelle</translation>
    </message>
    <message>
        <source>Step 3 of 3: a demo</source>
        <translation>Schritt 3 von 3: eine Demo</translation>
    </message>
    <message>
        <source>There are no demos here.</source>
        <translation>Hier gibt es keine Demos.</translation>
    </message>
    <message>
        <source>&amp;Next</source>
        <translation>&amp;Weiter</translation>
    </message>
    <message>
        <source>&amp;Skip this step</source>
        <translation>Diesen Schritt ü&amp;berspringen</translation>
    </message>
    <message>
        <source>&amp;Play the demo</source>
        <translation>Die Demo ab&amp;spielen</translation>
    </message>
    <message>
        <source>&amp;Finish without a demo</source>
        <translation>Ohne Demo &amp;abschließen</translation>
    </message>
    <message>
        <source>The engine is not ready yet: wait a moment.</source>
        <translation>Die Maschine ist noch nicht bereit: Warten Sie einen Augenblick.</translation>
    </message>
    <message>
        <source>Models are missing, so nothing can be heard yet: step 2 fetches them.</source>
        <translation>Es fehlen Modelle, darum kann noch nichts gehört werden: Schritt 2 holt sie.</translation>
    </message>
    <message>
        <source>Models are missing, so no demo can be played yet: step 2 fetches them.</source>
        <translation>Es fehlen Modelle, darum kann noch keine Demo gespielt werden: Schritt 2 holt sie.</translation>
    </message>
</context>
<context>
    <name>Headline</name>
    <message>
        <source>from turn&apos;s end to first word</source>
        <translation>vom Beitragsende zum ersten Wort</translation>
    </message>
    <message>
        <source>the same turn without PADS</source>
        <translation>derselbe Beitrag ohne PADS</translation>
    </message>
    <message>
        <source>deep work hidden in pauses</source>
        <translation>tiefe Arbeit in Pausen verborgen</translation>
    </message>
    <message>
        <source>of deep work thrown away</source>
        <translation>der tiefen Arbeit verworfen</translation>
    </message>
</context>
<context>
    <name>HistoryDialog</name>
    <message>
        <source>History</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>&amp;Open</source>
        <translation>&amp;Öffnen</translation>
    </message>
    <message>
        <source>&amp;Export …</source>
        <translation>&amp;Exportieren …</translation>
    </message>
    <message>
        <source>&amp;Delete …</source>
        <translation>&amp;Löschen …</translation>
    </message>
    <message>
        <source>Show &amp;folder</source>
        <translation>&amp;Ordner zeigen</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>date</source>
        <translation>Datum</translation>
    </message>
    <message>
        <source>heard</source>
        <translation>gehört</translation>
    </message>
    <message>
        <source>turns</source>
        <translation>Beiträge</translation>
    </message>
    <message>
        <source>deep work hidden</source>
        <translation>tiefe Arbeit verborgen</translation>
    </message>
    <message>
        <source>size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>state</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Recorded sessions</source>
        <translation>Aufgezeichnete Sitzungen</translation>
    </message>
    <message>
        <source>Delete &amp;all …</source>
        <translation>&amp;Alle löschen …</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Open the chosen session in the profiler</source>
        <translation>Die gewählte Sitzung im Profiler öffnen</translation>
    </message>
    <message>
        <source>Export the chosen session</source>
        <translation>Die gewählte Sitzung exportieren</translation>
    </message>
    <message>
        <source>Delete the chosen session</source>
        <translation>Die gewählte Sitzung löschen</translation>
    </message>
    <message>
        <source>Delete all sessions</source>
        <translation>Alle Sitzungen löschen</translation>
    </message>
    <message>
        <source>Show the folder of the chosen session</source>
        <translation>Den Ordner der gewählten Sitzung zeigen</translation>
    </message>
    <message>
        <source>Nothing has been recorded yet.</source>
        <translation>Es wurde noch nichts aufgezeichnet.</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
    <message>
        <source>{ms:.0f} ms ({tag})</source>
        <translation>{ms:.0f} ms ({tag})</translation>
    </message>
    <message>
        <source>{mb:.1f} MB</source>
        <translation>{mb:.1f} MB</translation>
    </message>
    <message>
        <source>being recorded</source>
        <translation>wird aufgezeichnet</translation>
    </message>
    <message>
        <source>complete</source>
        <translation>vollständig</translation>
    </message>
    <message>
        <source>ended abruptly</source>
        <translation>plötzlich geendet</translation>
    </message>
    <message>
        <source>damaged</source>
        <translation>beschädigt</translation>
    </message>
    <message>
        <source>Reading {name} …</source>
        <translation>{name} wird gelesen …</translation>
    </message>
    <message>
        <source>Exporting {name} …</source>
        <translation>{name} wird exportiert …</translation>
    </message>
    <message>
        <source>Delete the session {name} and its sound? It cannot be brought back.</source>
        <translation>Die Sitzung {name} und ihren Ton löschen? Sie lässt sich nicht zurückholen.</translation>
    </message>
    <message>
        <source>Delete all {n} sessions and their sound? They cannot be brought back.</source>
        <translation>Alle {n} Sitzungen und ihren Ton löschen? Sie lassen sich nicht zurückholen.</translation>
    </message>
</context>
<context>
    <name>Inspector</name>
    <message>
        <source>Wheel zooms, dragging or ←→ scrolls, Space freezes, L goes live. A click or PgUp/PgDn selects a turn; pointing or ↑↓ explains a block.</source>
        <translation>Mausrad vergrößert, Ziehen oder ←→ verschiebt, Leertaste hält an, L folgt live. Klick oder Bild↑/Bild↓ wählt einen Beitrag; Zeigen oder ↑↓ erklärt einen Block.</translation>
    </message>
    <message>
        <source>Live</source>
        <translation>Live</translation>
    </message>
    <message>
        <source>Follow the newest moment</source>
        <translation>Dem neuesten Augenblick folgen</translation>
    </message>
    <message>
        <source>● frozen</source>
        <translation>● angehalten</translation>
    </message>
    <message>
        <source>Freeze</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>The view is frozen</source>
        <translation>Die Ansicht ist angehalten</translation>
    </message>
    <message>
        <source>Freeze the view</source>
        <translation>Die Ansicht anhalten</translation>
    </message>
</context>
<context>
    <name>JobView</name>
    <message>
        <source>&amp;Start</source>
        <translation>&amp;Start</translation>
    </message>
    <message>
        <source>&amp;Reset</source>
        <translation>&amp;Zurücksetzen</translation>
    </message>
    <message>
        <source>Start the job, or queue it behind those that wait</source>
        <translation>Den Auftrag starten oder hinter die wartenden stellen</translation>
    </message>
    <message>
        <source>Put all parameters back to their defaults</source>
        <translation>Alle Parameter auf ihre Voreinstellung zurücksetzen</translation>
    </message>
    <message>
        <source>Purpose of the run</source>
        <translation>Zweck des Laufs</translation>
    </message>
    <message>
        <source>why, for the record (optional)</source>
        <translation>wozu, fürs Protokoll (freiwillig)</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>&amp;Start after {count} other(s)</source>
        <translation>Nach {count} anderen &amp;starten</translation>
    </message>
</context>
<context>
    <name>Jobs</name>
    <message>
        <source>Train the dialogue-act classifier</source>
        <translation>Die Dialogakt-Erkennung trainieren</translation>
    </message>
    <message>
        <source>Fits the classifier that decides whether an answer needs depth on DailyDialog, and evaluates it on the official test split.</source>
        <translation>Passt an DailyDialog an, was entscheidet, ob eine Antwort Tiefe braucht, und wertet es am offiziellen Testteil aus.</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>Daten</translation>
    </message>
    <message>
        <source>folder that holds dailydialog.zip, or the archive (default: PADS_DATA or the data folder in the settings)</source>
        <translation>Ordner mit dailydialog.zip, oder das Archiv selbst (Vorgabe: PADS_DATA oder der Datenordner der Einstellungen)</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Startwert</translation>
    </message>
    <message>
        <source>random seed of the fit</source>
        <translation>Startwert des Zufalls beim Anpassen</translation>
    </message>
    <message>
        <source>Max iter</source>
        <translation>Höchste Zahl der Schritte</translation>
    </message>
    <message>
        <source>most iterations of the regression</source>
        <translation>höchste Zahl der Schritte der Regression</translation>
    </message>
    <message>
        <source>Install</source>
        <translation>Einsetzen</translation>
    </message>
    <message>
        <source>use the new weights in place of the shipped ones</source>
        <translation>die neuen Gewichte statt der mitgelieferten verwenden</translation>
    </message>
    <message>
        <source>Count the most frequent words</source>
        <translation>Die häufigsten Wörter zählen</translation>
    </message>
    <message>
        <source>Counts DailyDialog&apos;s words for the draft head, which proposes frequent words only, and measures how much of other dialogues they cover.</source>
        <translation>Zählt DailyDialogs Wörter für den Entwurfskopf, der nur häufige Wörter vorschlägt, und misst, wie viel anderer Dialoge sie abdecken.</translation>
    </message>
    <message>
        <source>Words</source>
        <translation>Wörter</translation>
    </message>
    <message>
        <source>words to keep</source>
        <translation>Wörter, die bleiben</translation>
    </message>
    <message>
        <source>use the new list in place of the shipped one</source>
        <translation>die neue Liste statt der mitgelieferten verwenden</translation>
    </message>
    <message>
        <source>Train early exits</source>
        <translation>Frühe Ausstiege trainieren</translation>
    </message>
    <message>
        <source>Teaches one extra layer an exit to guess what the whole model would say, on conversations the model holds with DailyDialog&apos;s and AMI&apos;s speakers, and measures on held-out prompts how often it guesses right, before and after. What is served cannot change. Needs torch and, while it runs, about 1 MB of disk a reply.</source>
        <translation>Lehrt je Ausstieg eine zusätzliche Schicht, zu erraten, was das ganze Modell sagen würde, an Gesprächen, die das Modell mit den Sprechern von DailyDialog und AMI führt, und misst an zurückgehaltenen Fragen, wie oft sie richtig rät, vorher und nachher. Was geantwortet wird, kann sich nicht ändern. Braucht torch und während des Laufs etwa 1 MB Platte je Antwort.</translation>
    </message>
    <message>
        <source>Exits</source>
        <translation>Ausstiege</translation>
    </message>
    <message>
        <source>layers to exit after</source>
        <translation>Schichten, nach denen ausgestiegen wird</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>training steps; 0 only holds conversations and measures</source>
        <translation>Trainingsschritte; bei 0 werden nur Gespräche geführt und gemessen</translation>
    </message>
    <message>
        <source>Batch</source>
        <translation>Stapel</translation>
    </message>
    <message>
        <source>conversations a step</source>
        <translation>Gespräche je Schritt</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>longest conversation, in tokens</source>
        <translation>längstes Gespräch, in Token</translation>
    </message>
    <message>
        <source>Replies</source>
        <translation>Antworten</translation>
    </message>
    <message>
        <source>replies of the model to learn from</source>
        <translation>Antworten des Modells, aus denen gelernt wird</translation>
    </message>
    <message>
        <source>Ami share</source>
        <translation>Anteil AMI</translation>
    </message>
    <message>
        <source>of the replies, share that answer speakers of AMI&apos;s meetings</source>
        <translation>Anteil der Antworten, die Sprechern der AMI-Besprechungen gelten</translation>
    </message>
    <message>
        <source>random seed of it all</source>
        <translation>Startwert des Zufalls für alles</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>Lernrate</translation>
    </message>
    <message>
        <source>highest learning rate</source>
        <translation>höchste Lernrate</translation>
    </message>
    <message>
        <source>Vocabulary</source>
        <translation>Wortschatz</translation>
    </message>
    <message>
        <source>tokens the loss tells apart, the most frequent ones; 0 for all</source>
        <translation>Token, die der Verlust unterscheidet, die häufigsten; 0 für alle</translation>
    </message>
    <message>
        <source>Prompts</source>
        <translation>Fragen</translation>
    </message>
    <message>
        <source>held-out prompts</source>
        <translation>zurückgehaltene Fragen</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>CPU threads</source>
        <translation>Threads des Prozessors</translation>
    </message>
    <message>
        <source>Checkpoint steps</source>
        <translation>Schritte je Sicherung</translation>
    </message>
    <message>
        <source>steps from one checkpoint to the next</source>
        <translation>Schritte von einer Sicherung zur nächsten</translation>
    </message>
    <message>
        <source>Conversations</source>
        <translation>Gespräche</translation>
    </message>
    <message>
        <source>earlier runs whose kept conversations to use, separated by commas</source>
        <translation>frühere Läufe, deren aufbewahrte Gespräche verwendet werden, durch Kommas getrennt</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>an interrupted run to go on with, under its own parameters</source>
        <translation>ein unterbrochener Lauf, der mit seinen eigenen Angaben weitergeht</translation>
    </message>
    <message>
        <source>Keep states</source>
        <translation>Zustände behalten</translation>
    </message>
    <message>
        <source>keep the conversations&apos; states for other runs</source>
        <translation>die Zustände der Gespräche für andere Läufe behalten</translation>
    </message>
    <message>
        <source>draft with the new adapters instead of the shipped ones</source>
        <translation>mit den neuen Zusatzschichten statt der mitgelieferten entwerfen</translation>
    </message>
    <message>
        <source>Train the turn-end head</source>
        <translation>Das Beitragsende trainieren</translation>
    </message>
    <message>
        <source>Fits P(turn end) at a pause on recorded meetings and generated speech, and tells its calibration on meetings left out.</source>
        <translation>Passt die Wahrscheinlichkeit, dass ein Beitrag in einer Pause endet, an aufgenommene Besprechungen und erzeugte Sprache an, und sagt, wie verlässlich sie bei ausgelassenen Besprechungen ist.</translation>
    </message>
    <message>
        <source>folder of the data: recordings with words in it or its audio/, dailydialog.zip (default: PADS_DATA or the data folder in the settings)</source>
        <translation>Ordner der Daten: Aufnahmen mit Wörtern darin oder in seinem audio/, dailydialog.zip (Vorgabe: PADS_DATA oder der Datenordner der Einstellungen)</translation>
    </message>
    <message>
        <source>Recordings</source>
        <translation>Aufnahmen</translation>
    </message>
    <message>
        <source>one more folder of recordings: NAME.wav beside NAME.words.json</source>
        <translation>noch ein Ordner mit Aufnahmen: NAME.wav neben NAME.words.json</translation>
    </message>
    <message>
        <source>Turns</source>
        <translation>Beiträge</translation>
    </message>
    <message>
        <source>turns spoken by espeak-ng to train with besides, 0 for none</source>
        <translation>zusätzliche Beiträge zum Trainieren, von espeak-ng gesprochen, 0 für keine</translation>
    </message>
    <message>
        <source>random seed of their pauses</source>
        <translation>Startwert des Zufalls für ihre Pausen</translation>
    </message>
    <message>
        <source>Train the model itself to exit early</source>
        <translation>Das Modell selbst auf frühe Ausstiege trainieren</translation>
    </message>
    <message>
        <source>LayerSkip: low-rank weights are trained beside the model&apos;s own while layers drop out and several exits are read at once, on AMI meetings and DailyDialog; then merged into a model of its own and compared with the base model, gains and losses. Needs torch. Hours on a laptop: it can be cancelled and gone on with.</source>
        <translation>LayerSkip: Neben den Gewichten des Modells werden solche von niedrigem Rang trainiert, während Schichten ausfallen und mehrere Ausstiege zugleich gelesen werden, an AMI-Besprechungen und DailyDialog; dann werden sie zu einem eigenen Modell verschmolzen und mit dem ursprünglichen verglichen, mit Gewinn und Verlust. Braucht torch. Stunden auf einem Laptop: Es lässt sich abbrechen und fortsetzen.</translation>
    </message>
    <message>
        <source>folder that holds ami_manual_1.7.zip and dailydialog.zip, or the archive (default: PADS_DATA or the data folder in the settings)</source>
        <translation>Ordner mit ami_manual_1.7.zip und dailydialog.zip, oder das Archiv selbst (Vorgabe: PADS_DATA oder der Datenordner der Einstellungen)</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>GGUF to begin with (default: the model in the settings)</source>
        <translation>GGUF, mit der begonnen wird (Vorgabe: das Modell der Einstellungen)</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>Hugging Face folder of the same model, for its numbers</source>
        <translation>Hugging-Face-Ordner desselben Modells, für seine Zahlen</translation>
    </message>
    <message>
        <source>Corpora</source>
        <translation>Korpora</translation>
    </message>
    <message>
        <source>corpora to learn from, separated by commas</source>
        <translation>Korpora, aus denen gelernt wird, durch Kommas getrennt</translation>
    </message>
    <message>
        <source>Chats</source>
        <translation>Chats</translation>
    </message>
    <message>
        <source>chats to learn from too: {&quot;messages&quot;: [...]} a line</source>
        <translation>Chats, aus denen auch gelernt wird: {&quot;messages&quot;: [...]} je Zeile</translation>
    </message>
    <message>
        <source>Exclude</source>
        <translation>Auslassen</translation>
    </message>
    <message>
        <source>AMI meetings to leave out, separated by commas; auto: those that hold evaluation items; none: no meeting</source>
        <translation>AMI-Besprechungen, die ausgelassen werden, durch Kommas getrennt; auto: jene mit Einträgen der Auswertung; none: keine</translation>
    </message>
    <message>
        <source>Objective</source>
        <translation>Ziel</translation>
    </message>
    <message>
        <source>text: the next word people said; replies: what full depth itself would say, on answers the model gives to DailyDialog</source>
        <translation>text: das nächste Wort, das Menschen sagten; replies: was die volle Tiefe selbst sagen würde, an Antworten des Modells auf DailyDialog</translation>
    </message>
    <message>
        <source>replies to learn from, with objective replies</source>
        <translation>Antworten, aus denen beim Ziel replies gelernt wird</translation>
    </message>
    <message>
        <source>earlier runs whose kept conversations to use for that</source>
        <translation>frühere Läufe, deren aufbewahrte Gespräche dafür verwendet werden</translation>
    </message>
    <message>
        <source>training steps</source>
        <translation>Trainingsschritte</translation>
    </message>
    <message>
        <source>blocks a step, over all processes</source>
        <translation>Blöcke je Schritt, über alle Prozesse</translation>
    </message>
    <message>
        <source>tokens of a block, or of the longest conversation</source>
        <translation>Token eines Blocks, oder des längsten Gesprächs</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Rang</translation>
    </message>
    <message>
        <source>rank of the low-rank weights</source>
        <translation>Rang der Gewichte von niedrigem Rang</translation>
    </message>
    <message>
        <source>Alpha</source>
        <translation>Alpha</translation>
    </message>
    <message>
        <source>their scale times the rank</source>
        <translation>ihr Maßstab mal dem Rang</translation>
    </message>
    <message>
        <source>Targets</source>
        <translation>Ziele</translation>
    </message>
    <message>
        <source>matrices that get them</source>
        <translation>Matrizen, die sie bekommen</translation>
    </message>
    <message>
        <source>auxiliary exits, in percent of the depth</source>
        <translation>Hilfsausstiege, in Prozent der Tiefe</translation>
    </message>
    <message>
        <source>Exit weight</source>
        <translation>Gewicht der Ausstiege</translation>
    </message>
    <message>
        <source>weight of each of them; the last layer has 1</source>
        <translation>Gewicht von jedem; die letzte Schicht hat 1</translation>
    </message>
    <message>
        <source>Dropout</source>
        <translation>Ausfall</translation>
    </message>
    <message>
        <source>how often the last layer is left out</source>
        <translation>wie oft die letzte Schicht ausgelassen wird</translation>
    </message>
    <message>
        <source>Ramp</source>
        <translation>Anstieg</translation>
    </message>
    <message>
        <source>share of the steps over which dropout rises to that</source>
        <translation>Anteil der Schritte, über die der Ausfall dahin ansteigt</translation>
    </message>
    <message>
        <source>held-out prompts of each set to compare on</source>
        <translation>zurückgehaltene Fragen je Satz zum Vergleichen</translation>
    </message>
    <message>
        <source>Validation blocks</source>
        <translation>Prüfblöcke</translation>
    </message>
    <message>
        <source>held-out blocks the loss is validated on</source>
        <translation>zurückgehaltene Blöcke, an denen der Verlust geprüft wird</translation>
    </message>
    <message>
        <source>Formats</source>
        <translation>Formate</translation>
    </message>
    <message>
        <source>formats to write besides F16, always made from that: Q4_0, Q4_1, Q8_0, Q4_K_M; the first is compared with the base model</source>
        <translation>Formate außer F16, immer daraus gemacht: Q4_0, Q4_1, Q8_0, Q4_K_M; das erste wird mit dem ursprünglichen Modell verglichen</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>where to train; under torchrun, each process has its own</source>
        <translation>wo trainiert wird; unter torchrun hat jeder Prozess sein eigenes</translation>
    </message>
    <message>
        <source>End at</source>
        <translation>Ende bei</translation>
    </message>
    <message>
        <source>steps after which a run gone on with ends; 0: as planned</source>
        <translation>Schritte, nach denen ein fortgesetzter Lauf endet; 0: wie geplant</translation>
    </message>
    <message>
        <source>Look for evaluation items in training text</source>
        <translation>Einträge der Auswertung im Trainingstext suchen</translation>
    </message>
    <message>
        <source>Finds the AMI meetings in which a prompt or response of the evaluation set stands, leaves them out, and looks for the items in the tokens that training reads.</source>
        <translation>Findet die AMI-Besprechungen, in denen eine Frage oder Antwort der Auswertung steht, lässt sie aus und sucht die Einträge in den Token, die das Training liest.</translation>
    </message>
    <message>
        <source>GGUF whose tokens are read (default: the settings&apos; model)</source>
        <translation>GGUF, deren Token gelesen werden (Vorgabe: das Modell der Einstellungen)</translation>
    </message>
    <message>
        <source>Write a trained model in other formats</source>
        <translation>Ein trainiertes Modell in anderen Formaten schreiben</translation>
    </message>
    <message>
        <source>Merges what train-layerskip learned into its base model, writes it in F16, and quantises that with llama.cpp. Needs no torch.</source>
        <translation>Verschmilzt, was train-layerskip gelernt hat, mit dem ursprünglichen Modell, schreibt es in F16 und quantisiert das mit llama.cpp. Braucht kein torch.</translation>
    </message>
    <message>
        <source>Trained</source>
        <translation>Trainiert</translation>
    </message>
    <message>
        <source>the run of train-layerskip</source>
        <translation>der Lauf von train-layerskip</translation>
    </message>
    <message>
        <source>Measure pauses in real meetings</source>
        <translation>Pausen in echten Besprechungen messen</translation>
    </message>
    <message>
        <source>Finds every silence inside a turn in the AMI meetings: counts, lengths, and how many would hide a given amount of work.</source>
        <translation>Findet jede Stille innerhalb eines Beitrags in den AMI-Besprechungen: Anzahl, Längen, und wie viele eine gegebene Menge Arbeit verbergen würden.</translation>
    </message>
    <message>
        <source>folder that holds ami_manual_1.7.zip, or the archive (default: PADS_DATA or the data folder in the settings)</source>
        <translation>Ordner mit ami_manual_1.7.zip, oder das Archiv selbst (Vorgabe: PADS_DATA oder der Datenordner der Einstellungen)</translation>
    </message>
    <message>
        <source>meetings to leave out, separated by commas</source>
        <translation>Besprechungen, die ausgelassen werden, durch Kommas getrennt</translation>
    </message>
    <message>
        <source>Work ms</source>
        <translation>Arbeit in ms</translation>
    </message>
    <message>
        <source>also report the share of pauses at least this long, in ms</source>
        <translation>auch den Anteil der Pausen nennen, die mindestens so lang sind, in ms</translation>
    </message>
    <message>
        <source>Answers</source>
        <translation>Antworten</translation>
    </message>
    <message>
        <source>answers of the language model to time, 0 for none: how many pauses are long enough for a step, a prefill, a whole answer</source>
        <translation>Antworten des Sprachmodells, deren Zeit gemessen wird, 0 für keine: wie viele Pausen für einen Schritt, ein Einlesen, eine ganze Antwort reichen</translation>
    </message>
    <message>
        <source>Strict</source>
        <translation>Streng</translation>
    </message>
    <message>
        <source>refuse to measure while other programs work, on battery, throttled or at a changing clock, instead of saying so in the result</source>
        <translation>nicht messen, wenn andere Programme arbeiten, auf Akku, gedrosselt oder bei wechselndem Takt, statt es im Ergebnis zu sagen</translation>
    </message>
    <message>
        <source>Measure false cut-offs and delays</source>
        <translation>Falsches Unterbrechen und Wartezeiten messen</translation>
    </message>
    <message>
        <source>At every pause of recorded meetings: how often a person is cut off and how long the answer waits, for speech detection alone, smart-turn and the trained head.</source>
        <translation>An jeder Pause aufgenommener Besprechungen: wie oft jemand unterbrochen wird und wie lange die Antwort wartet, mit Spracherkennung allein, smart-turn und dem trainierten Kopf.</translation>
    </message>
    <message>
        <source>Measure how well speech is understood</source>
        <translation>Messen, wie gut Sprache verstanden wird</translation>
    </message>
    <message>
        <source>Word error rate of recorded meetings, cut into turns and transcribed as the engine does it, and the share of verdicts that a wrong word changes.</source>
        <translation>Wortfehlerrate aufgenommener Besprechungen, in Beiträge geschnitten und verschriftet wie im Betrieb, und der Anteil der Urteile, die ein falsches Wort ändert.</translation>
    </message>
    <message>
        <source>Compare with and without PADS</source>
        <translation>Mit und ohne PADS vergleichen</translation>
    </message>
    <message>
        <source>Hears one recording twice, without PADS and with it: how much earlier the first word comes, and whether the replies are the same.</source>
        <translation>Hört eine Aufnahme zweimal, ohne PADS und mit: wie viel früher das erste Wort kommt, und ob die Antworten gleich sind.</translation>
    </message>
    <message>
        <source>Recording</source>
        <translation>Aufnahme</translation>
    </message>
    <message>
        <source>sound file (WAV, FLAC, OGG; default: the first demo)</source>
        <translation>Tondatei (WAV, FLAC, OGG; Vorgabe: die erste Demo)</translation>
    </message>
    <message>
        <source>Rehearse a presentation</source>
        <translation>Eine Vorführung proben</translation>
    </message>
    <message>
        <source>Checks microphone, models, one turn from end to end, heat, power, memory, disk and other programs; ends green or says what to put right.</source>
        <translation>Prüft Mikrofon, Modelle, einen Beitrag von Anfang bis Ende, Wärme, Strom, Speicher, Platte und andere Programme; endet grün oder sagt, was zu richten ist.</translation>
    </message>
    <message>
        <source>Find the fastest decoding</source>
        <translation>Das schnellste Dekodieren finden</translation>
    </message>
    <message>
        <source>Measures thread counts, exit layers, draft lengths and prompt lookup against plain decoding on this machine, and remembers the fastest for mode auto.</source>
        <translation>Misst Anzahl der Threads, Ausstiegsschichten, Entwurfslängen und das Nachschlagen in der Frage gegen einfaches Dekodieren auf dieser Maschine, und merkt sich das Schnellste für den Modus auto.</translation>
    </message>
    <message>
        <source>prompts answered</source>
        <translation>Fragen, die beantwortet werden</translation>
    </message>
    <message>
        <source>tokens of each reply</source>
        <translation>Token jeder Antwort</translation>
    </message>
    <message>
        <source>exit layers to measure</source>
        <translation>Ausstiegsschichten, die gemessen werden</translation>
    </message>
    <message>
        <source>Drafts</source>
        <translation>Entwürfe</translation>
    </message>
    <message>
        <source>draft lengths to measure</source>
        <translation>Entwurfslängen, die gemessen werden</translation>
    </message>
    <message>
        <source>use the choice in mode auto from now on</source>
        <translation>die Wahl von nun an im Modus auto verwenden</translation>
    </message>
    <message>
        <source>Measure how often early exits guess right</source>
        <translation>Messen, wie oft frühe Ausstiege richtig raten</translation>
    </message>
    <message>
        <source>Lets every early exit guess what the whole model says on AMI and DailyDialog prompts, untrained and trained, greedy and sampled, and says whether half the depth is of any use.</source>
        <translation>Lässt jeden frühen Ausstieg raten, was das ganze Modell auf Fragen aus AMI und DailyDialog sagt, untrainiert und trainiert, mit und ohne Zufall, und sagt, ob die halbe Tiefe etwas nützt.</translation>
    </message>
    <message>
        <source>folder that holds ami_manual_1.7.zip and dailydialog.zip (default: PADS_DATA or the data folder in the settings)</source>
        <translation>Ordner mit ami_manual_1.7.zip und dailydialog.zip (Vorgabe: PADS_DATA oder der Datenordner der Einstellungen)</translation>
    </message>
    <message>
        <source>prompts of each set; AMI has 40</source>
        <translation>Fragen je Satz; AMI hat 40</translation>
    </message>
    <message>
        <source>most tokens of a reply</source>
        <translation>höchste Zahl der Token einer Antwort</translation>
    </message>
    <message>
        <source>layers to exit after, besides half the depth</source>
        <translation>Schichten, nach denen ausgestiegen wird, außer der halben Tiefe</translation>
    </message>
    <message>
        <source>Draft tokens</source>
        <translation>Token je Entwurf</translation>
    </message>
    <message>
        <source>drafts a round, besides one</source>
        <translation>Entwürfe je Runde, außer einem</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Temperatur</translation>
    </message>
    <message>
        <source>temperature of the sampled replies</source>
        <translation>Temperatur der Antworten mit Zufall</translation>
    </message>
    <message>
        <source>Trained model</source>
        <translation>Trainiertes Modell</translation>
    </message>
    <message>
        <source>a model file (GGUF) trained to exit early, to compare with the default model</source>
        <translation>eine auf frühe Ausstiege trainierte Modelldatei (GGUF) zum Vergleich mit dem üblichen Modell</translation>
    </message>
    <message>
        <source>seed of the sampling</source>
        <translation>Startwert des Ziehens</translation>
    </message>
    <message>
        <source>Compare ways to decide what needs depth</source>
        <translation>Wege vergleichen, über Tiefe zu entscheiden</translation>
    </message>
    <message>
        <source>Decides position by position what the whole model must compute, by the exit&apos;s confidence or by the dialogue act, and compares how often the result is right at the same amount of work.</source>
        <translation>Entscheidet Stelle für Stelle, was das ganze Modell rechnen muss, nach der Sicherheit des Ausstiegs oder nach dem Dialogakt, und vergleicht, wie oft das Ergebnis bei gleich viel Arbeit stimmt.</translation>
    </message>
    <message>
        <source>prompts of the AMI set, from its first on</source>
        <translation>Fragen des AMI-Satzes, von der ersten an</translation>
    </message>
    <message>
        <source>Exit layer</source>
        <translation>Ausstiegsschicht</translation>
    </message>
    <message>
        <source>layer to exit after; 0 for half the model&apos;s depth</source>
        <translation>Schicht, nach der ausgestiegen wird; 0 für die halbe Tiefe des Modells</translation>
    </message>
    <message>
        <source>Positions</source>
        <translation>Stellen</translation>
    </message>
    <message>
        <source>whose tokens are predicted: the prompts&apos;, or those of the replies</source>
        <translation>wessen Token vorhergesagt werden: die der Fragen oder die der Antworten</translation>
    </message>
    <message>
        <source>Compare replies with what people answered</source>
        <translation>Antworten mit denen von Menschen vergleichen</translation>
    </message>
    <message>
        <source>Answers the AMI prompts with the whole model and with its early exit alone, and tells by ROUGE-L how much of a person&apos;s answer each has.</source>
        <translation>Beantwortet die AMI-Fragen mit dem ganzen Modell und mit seinem frühen Ausstieg allein, und sagt mit ROUGE-L, wie viel von der Antwort eines Menschen jede hat.</translation>
    </message>
    <message>
        <source>Find where memory limits decoding</source>
        <translation>Finden, wo der Speicher das Dekodieren begrenzt</translation>
    </message>
    <message>
        <source>Decoding and copying memory at every number of threads: from how many on more threads decode no faster, and what follows for a larger model (Go/No-Go 1).</source>
        <translation>Dekodieren und Kopieren von Speicher bei jeder Anzahl von Threads: ab wie vielen mehr Threads nicht schneller dekodieren, und was für ein größeres Modell folgt (Go/No-Go 1).</translation>
    </message>
    <message>
        <source>thread counts, separated by commas (default: every count)</source>
        <translation>Anzahlen von Threads, durch Kommas getrennt (Vorgabe: jede)</translation>
    </message>
    <message>
        <source>Loads</source>
        <translation>Ladevorgänge</translation>
    </message>
    <message>
        <source>how often the model is loaded afresh</source>
        <translation>wie oft das Modell neu geladen wird</translation>
    </message>
    <message>
        <source>Rounds</source>
        <translation>Runden</translation>
    </message>
    <message>
        <source>rounds of each load</source>
        <translation>Runden je Ladevorgang</translation>
    </message>
    <message>
        <source>tokens of a round</source>
        <translation>Token einer Runde</translation>
    </message>
    <message>
        <source>Other gb</source>
        <translation>Anderes Modell in GB</translation>
    </message>
    <message>
        <source>size of another model&apos;s file in GB, to extrapolate to (4.68: 7.6 billion parameters in Q4_K_M)</source>
        <translation>Größe der Datei eines anderen Modells in GB, auf das hochgerechnet wird (4.68: 7,6 Milliarden Parameter in Q4_K_M)</translation>
    </message>
    <message>
        <source>Watch heat under sustained load</source>
        <translation>Wärme unter Dauerlast beobachten</translation>
    </message>
    <message>
        <source>Decodes without a rest and follows temperature, clock and throttling: how hot it gets, and how much speed is left when it is (Go/No-Go 4).</source>
        <translation>Dekodiert ohne Rast und verfolgt Temperatur, Takt und Drosselung: wie heiß es wird, und wie viel Tempo dann bleibt (Go/No-Go 4).</translation>
    </message>
    <message>
        <source>Minutes</source>
        <translation>Minuten</translation>
    </message>
    <message>
        <source>length</source>
        <translation>Länge</translation>
    </message>
    <message>
        <source>threads that decode, 0 for all there are</source>
        <translation>Threads, die dekodieren, 0 für alle vorhandenen</translation>
    </message>
    <message>
        <source>Check that everything fits into memory</source>
        <translation>Prüfen, dass alles in den Speicher passt</translation>
    </message>
    <message>
        <source>Opens the window, the listening models and the decoder, measures the memory each really takes, and holds the sum against the machine&apos;s (Go/No-Go 5).</source>
        <translation>Öffnet das Fenster, die Hörmodelle und den Dekodierer, misst, wie viel Speicher jedes wirklich nimmt, und hält die Summe gegen den der Maschine (Go/No-Go 5).</translation>
    </message>
    <message>
        <source>Memory gb</source>
        <translation>Speicher in GB</translation>
    </message>
    <message>
        <source>ask about a machine with so much memory instead of this one</source>
        <translation>nach einer Maschine mit so viel Speicher fragen statt nach dieser</translation>
    </message>
    <message>
        <source>Reserve mb</source>
        <translation>Reserve in MB</translation>
    </message>
    <message>
        <source>memory that must stay free besides, in MB</source>
        <translation>Speicher, der außerdem frei bleiben muss, in MB</translation>
    </message>
    <message>
        <source>Show the mechanism on one question</source>
        <translation>Den Mechanismus an einer Frage zeigen</translation>
    </message>
    <message>
        <source>A given turn-end probability and a given pause with the real classifier and the real model: does the gate start, what do the shallow and the deep pass take, when comes the first word; and then the same with real speech, where a start is thrown away.</source>
        <translation>Eine gegebene Wahrscheinlichkeit des Beitragsendes und eine gegebene Pause mit der echten Erkennung und dem echten Modell: Beginnt die Arbeit, wie lange dauern der flache und der tiefe Durchgang, wann kommt das erste Wort; und dann dasselbe mit echter Sprache, wo ein Start verworfen wird.</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>what the person is to have said</source>
        <translation>was die Person gesagt haben soll</translation>
    </message>
    <message>
        <source>P end</source>
        <translation>P Ende</translation>
    </message>
    <message>
        <source>probability that the turn is over, injected</source>
        <translation>vorgegebene Wahrscheinlichkeit, dass der Beitrag zu Ende ist</translation>
    </message>
    <message>
        <source>Pause s</source>
        <translation>Pause in s</translation>
    </message>
    <message>
        <source>length of the pause, injected, in seconds</source>
        <translation>vorgegebene Länge der Pause, in Sekunden</translation>
    </message>
    <message>
        <source>Trials</source>
        <translation>Versuche</translation>
    </message>
    <message>
        <source>trials timed</source>
        <translation>Versuche mit Zeitmessung</translation>
    </message>
    <message>
        <source>real speech (WAV, FLAC, OGG; default: the first demo)</source>
        <translation>echte Sprache (WAV, FLAC, OGG; Vorgabe: die erste Demo)</translation>
    </message>
    <message>
        <source>Take the gate apart</source>
        <translation>Die Entscheidung zerlegen</translation>
    </message>
    <message>
        <source>Hears the demos and recordings with the whole gate, with either condition alone, and with none: what is hidden, what is wasted, what is missed.</source>
        <translation>Hört die Demos und Aufnahmen mit der ganzen Entscheidung, mit jeder Bedingung allein und mit keiner: was verborgen, was verworfen und was verpasst wird.</translation>
    </message>
    <message>
        <source>folder of recordings, or one that has them in audio/ (default: PADS_DATA or the data folder in the settings)</source>
        <translation>Ordner mit Aufnahmen, oder einer, der sie in audio/ hat (Vorgabe: PADS_DATA oder der Datenordner der Einstellungen)</translation>
    </message>
    <message>
        <source>Demos</source>
        <translation>Demos</translation>
    </message>
    <message>
        <source>demos to hear</source>
        <translation>Demos, die gehört werden</translation>
    </message>
    <message>
        <source>recordings to hear; each takes four times its length</source>
        <translation>Aufnahmen, die gehört werden; jede dauert viermal ihre Länge</translation>
    </message>
    <message>
        <source>Measure decoding speed</source>
        <translation>Das Tempo des Dekodierens messen</translation>
    </message>
    <message>
        <source>Races plain decoding, head and tail without drafts, mode auto, and every exit layer and draft length, prompt by prompt with the same weights and threads.</source>
        <translation>Lässt einfaches Dekodieren, Kopf und Rumpf ohne Entwürfe, den Modus auto und jede Ausstiegsschicht und Entwurfslänge um die Wette laufen, Frage für Frage mit denselben Gewichten und Threads.</translation>
    </message>
    <message>
        <source>fresh loads of every way, which share the prompts</source>
        <translation>wie oft jede Art neu geladen wird; die Ladungen teilen sich die Fragen</translation>
    </message>
    <message>
        <source>exit layers</source>
        <translation>Ausstiegsschichten</translation>
    </message>
    <message>
        <source>draft lengths</source>
        <translation>Entwurfslängen</translation>
    </message>
    <message>
        <source>threads that decode, 0 for the setting</source>
        <translation>Threads, die dekodieren, 0 für die Einstellung</translation>
    </message>
    <message>
        <source>Prove that speculation changes nothing</source>
        <translation>Beweisen, dass Vorausarbeiten nichts ändert</translation>
    </message>
    <message>
        <source>Answers prompts three ways, with llama.cpp&apos;s own loop on the uncut file, with head and tail, and with drafts, and compares every served token; the same with other number formats.</source>
        <translation>Beantwortet Fragen auf drei Arten, mit llama.cpps eigener Schleife an der ungeteilten Datei, mit Kopf und Rumpf, und mit Entwürfen, und vergleicht jedes ausgegebene Token; dasselbe mit anderen Zahlenformaten.</translation>
    </message>
    <message>
        <source>prompts for the default model</source>
        <translation>Fragen für das übliche Modell</translation>
    </message>
    <message>
        <source>Format prompts</source>
        <translation>Fragen je Format</translation>
    </message>
    <message>
        <source>prompts for each other number format</source>
        <translation>Fragen für jedes andere Zahlenformat</translation>
    </message>
    <message>
        <source>other number formats to compare, none when empty</source>
        <translation>andere Zahlenformate zum Vergleichen, leer für keine</translation>
    </message>
</context>
<context>
    <name>JobsWindow</name>
    <message>
        <source>Jobs</source>
        <translation>Aufträge</translation>
    </message>
    <message>
        <source>S&amp;how</source>
        <translation>&amp;Zeigen</translation>
    </message>
    <message>
        <source>What is running</source>
        <translation>Was läuft</translation>
    </message>
    <message>
        <source>Show the running job</source>
        <translation>Den laufenden Auftrag zeigen</translation>
    </message>
    <message>
        <source>JOBS</source>
        <translation>AUFTRÄGE</translation>
    </message>
    <message>
        <source>RUNS</source>
        <translation>LÄUFE</translation>
    </message>
    <message>
        <source>Nothing is running.</source>
        <translation>Nichts läuft.</translation>
    </message>
    <message>
        <source>about {time} left</source>
        <translation>noch etwa {time}</translation>
    </message>
    <message>
        <source>healthy</source>
        <translation>gesund</translation>
    </message>
    <message>
        <source>{count} waiting</source>
        <translation>{count} warten</translation>
    </message>
</context>
<context>
    <name>Ladder</name>
    <message>
        <source>Exit ladder</source>
        <translation>Ausstiegsleiter</translation>
    </message>
    <message>
        <source>No token yet</source>
        <translation>Noch kein Token</translation>
    </message>
    <message>
        <source>EXIT LADDER</source>
        <translation>AUSSTIEGSLEITER</translation>
    </message>
    <message>
        <source>Slow</source>
        <translation>Langsam</translation>
    </message>
    <message>
        <source>Show tokens at readable speed</source>
        <translation>Token in lesbarem Tempo zeigen</translation>
    </message>
    <message>
        <source>Shows each token long enough to read it (R); the engine is not slowed.</source>
        <translation>Zeigt jedes Token lange genug, um es zu lesen (R); die Maschine wird nicht gebremst.</translation>
    </message>
    <message>
        <source>exit layer {exit} of {layers} · {policy}</source>
        <translation>Ausstiegsschicht {exit} von {layers} · {policy}</translation>
    </message>
    <message>
        <source>{kept} of {checked} checked drafts kept ({share:.0f} %, measured)</source>
        <translation>{kept} von {checked} geprüften Entwürfen behalten ({share:.0f} %, gemessen)</translation>
    </message>
    <message>
        <source>“{text}”: {outcome}, layers used {used} of {layers}</source>
        <translation>„{text}“: {outcome}, {used} von {layers} Schichten benutzt</translation>
    </message>
</context>
<context>
    <name>Lane</name>
    <message>
        <source>PADS on</source>
        <translation>PADS an</translation>
    </message>
    <message>
        <source>PADS off</source>
        <translation>PADS aus</translation>
    </message>
    <message>
        <source>Timeline with PADS on</source>
        <translation>Zeitleiste mit PADS</translation>
    </message>
    <message>
        <source>Timeline with PADS off</source>
        <translation>Zeitleiste ohne PADS</translation>
    </message>
    <message>
        <source>no such turn</source>
        <translation>diesen Beitrag gibt es nicht</translation>
    </message>
    <message>
        <source>no reply</source>
        <translation>keine Antwort</translation>
    </message>
    <message>
        <source>first word {ms:.0f} ms after you stopped speaking ({evidence})</source>
        <translation>erstes Wort {ms:.0f} ms, nachdem Sie aufhörten zu sprechen ({evidence})</translation>
    </message>
</context>
<context>
    <name>Lanes</name>
    <message>
        <source>audio</source>
        <translation>Ton</translation>
    </message>
    <message>
        <source>turn end</source>
        <translation>Ende</translation>
    </message>
    <message>
        <source>verdict</source>
        <translation>Urteil</translation>
    </message>
    <message>
        <source>decoder</source>
        <translation>Dekodierer</translation>
    </message>
    <message>
        <source>reply</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>shallow</source>
        <translation>flach</translation>
    </message>
    <message>
        <source>deep</source>
        <translation>tief</translation>
    </message>
    <message>
        <source>turn</source>
        <translation>Beitrag</translation>
    </message>
    <message>
        <source>what is heard, shaded where somebody speaks</source>
        <translation>was gehört wird, getönt, wo jemand spricht</translation>
    </message>
    <message>
        <source>is your turn over? Above the line, work may start</source>
        <translation>sind Sie fertig? Über der Linie darf Arbeit beginnen</translation>
    </message>
    <message>
        <source>what you said, and whether the answer needs depth</source>
        <translation>was Sie gesagt haben, und ob die Antwort Tiefe braucht</translation>
    </message>
    <message>
        <source>the work for the answer: hidden in your pause, waited for, or thrown away</source>
        <translation>die Arbeit für die Antwort: in Ihrer Pause verborgen, abgewartet oder verworfen</translation>
    </message>
    <message>
        <source>the answer, once your turn is over</source>
        <translation>die Antwort, sobald Sie fertig sind</translation>
    </message>
    <message>
        <source>deep starts</source>
        <translation>tief beginnt</translation>
    </message>
    <message>
        <source>you went on</source>
        <translation>Sie sprachen weiter</translation>
    </message>
    <message>
        <source>turn over</source>
        <translation>Beitrag zu Ende</translation>
    </message>
    <message>
        <source>start {theta:.2f}</source>
        <translation>Start {theta:.2f}</translation>
    </message>
    <message>
        <source>turn {n}</source>
        <translation>Beitrag {n}</translation>
    </message>
    <message>
        <source>your pause</source>
        <translation>Ihre Pause</translation>
    </message>
</context>
<context>
    <name>Level</name>
    <message>
        <source>Sound level</source>
        <translation>Lautstärke</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>&amp;Open a sound file …</source>
        <translation>Tondatei ö&amp;ffnen …</translation>
    </message>
    <message>
        <source>&amp;Sound …</source>
        <translation>&amp;Ton …</translation>
    </message>
    <message>
        <source>S&amp;ettings …</source>
        <translation>&amp;Einstellungen …</translation>
    </message>
    <message>
        <source>&amp;Models …</source>
        <translation>&amp;Modelle …</translation>
    </message>
    <message>
        <source>&amp;History and export …</source>
        <translation>&amp;Verlauf und Export …</translation>
    </message>
    <message>
        <source>Save a &amp;picture of the view …</source>
        <translation>&amp;Bild der Ansicht speichern …</translation>
    </message>
    <message>
        <source>&amp;Jobs and runs …</source>
        <translation>&amp;Aufträge und Läufe …</translation>
    </message>
    <message>
        <source>&amp;Compare with and without PADS …</source>
        <translation>Mit und ohne PADS &amp;vergleichen …</translation>
    </message>
    <message>
        <source>&amp;Presenter mode</source>
        <translation>&amp;Vorführmodus</translation>
    </message>
    <message>
        <source>&amp;Rehearsal …</source>
        <translation>&amp;Probe …</translation>
    </message>
    <message>
        <source>&amp;Feel it: a blind trial …</source>
        <translation>&amp;Spüren Sie es: ein Blindversuch …</translation>
    </message>
    <message>
        <source>&amp;What you see …</source>
        <translation>&amp;Was Sie sehen …</translation>
    </message>
    <message>
        <source>&amp;First steps …</source>
        <translation>&amp;Erste Schritte …</translation>
    </message>
    <message>
        <source>Exactness &amp;certificate …</source>
        <translation>&amp;Bescheinigung der Genauigkeit …</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <source>CONVERSATION</source>
        <translation>GESPRÄCH</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>Fenster</translation>
    </message>
    <message>
        <source>{name} is back.</source>
        <translation>{name} ist wieder da.</translation>
    </message>
    <message>
        <source>The {name} stopped ({reason}): close the window and start again.</source>
        <translation>„{name}“ ist stehen geblieben ({reason}): Schließen Sie das Fenster und starten Sie neu.</translation>
    </message>
    <message>
        <source>view</source>
        <translation>ansicht</translation>
    </message>
</context>
<context>
    <name>Menus</name>
    <message>
        <source>Menu bar</source>
        <translation>Menüleiste</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>&amp;Jobs</source>
        <translation>A&amp;ufträge</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
</context>
<context>
    <name>Meter</name>
    <message>
        <source>Sound level meter</source>
        <translation>Pegelanzeige</translation>
    </message>
    <message>
        <source>no sound arrives</source>
        <translation>es kommt kein Ton an</translation>
    </message>
    <message>
        <source>peak {peak:.0f} dBFS · measured</source>
        <translation>Spitze {peak:.0f} dBFS · gemessen</translation>
    </message>
    <message>
        <source>peak {peak:.0f} dBFS · clipping · measured</source>
        <translation>Spitze {peak:.0f} dBFS · übersteuert · gemessen</translation>
    </message>
</context>
<context>
    <name>MicrophoneCheck</name>
    <message>
        <source>Microphone</source>
        <translation>Mikrofon</translation>
    </message>
    <message>
        <source>&amp;Say something</source>
        <translation>&amp;Sagen Sie etwas</translation>
    </message>
    <message>
        <source>Judges three seconds of your speech</source>
        <translation>Beurteilt drei Sekunden Ihres Sprechens</translation>
    </message>
    <message>
        <source>&amp;Microphone</source>
        <translation>&amp;Mikrofon</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>Pegel</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>Probe</translation>
    </message>
    <message>
        <source>{name} is back.</source>
        <translation>{name} ist wieder da.</translation>
    </message>
    <message>
        <source>{name} (not connected)</source>
        <translation>{name} (nicht angeschlossen)</translation>
    </message>
    <message>
        <source>System default</source>
        <translation>Voreinstellung des Systems</translation>
    </message>
    <message>
        <source>System default ({name})</source>
        <translation>Voreinstellung des Systems ({name})</translation>
    </message>
    <message>
        <source>Speak now, for three seconds …</source>
        <translation>Sprechen Sie jetzt, drei Sekunden lang …</translation>
    </message>
    <message>
        <source>({level:.0f} dBFS, measured)</source>
        <translation>({level:.0f} dBFS, gemessen)</translation>
    </message>
    <message>
        <source>{count} audio blocks lost · {evidence}</source>
        <translation>{count} Tonblöcke verloren · {evidence}</translation>
    </message>
</context>
<context>
    <name>ModelCard</name>
    <message>
        <source>Writes the replies.</source>
        <translation>Schreibt die Antworten.</translation>
    </message>
    <message>
        <source>Hears from your voice whether you have finished.</source>
        <translation>Hört an Ihrer Stimme, ob Sie fertig sind.</translation>
    </message>
    <message>
        <source>Hears whether somebody speaks.</source>
        <translation>Hört, ob jemand spricht.</translation>
    </message>
    <message>
        <source>Writes down what you say.</source>
        <translation>Schreibt auf, was Sie sagen.</translation>
    </message>
    <message>
        <source>Speaks the replies aloud, where Piper is installed.</source>
        <translation>Spricht die Antworten, wo Piper installiert ist.</translation>
    </message>
    <message>
        <source>present</source>
        <translation>vorhanden</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>fehlt</translation>
    </message>
    <message>
        <source>damaged</source>
        <translation>beschädigt</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>Prüfen</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>Verwenden</translation>
    </message>
    <message>
        <source>Delete …</source>
        <translation>Löschen …</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>Behalten</translation>
    </message>
    <message>
        <source>in use</source>
        <translation>in Gebrauch</translation>
    </message>
    <message>
        <source>licence: {name}</source>
        <translation>Lizenz: {name}</translation>
    </message>
    <message>
        <source>not stated</source>
        <translation>nicht angegeben</translation>
    </message>
    <message>
        <source>added by you</source>
        <translation>von Ihnen hinzugefügt</translation>
    </message>
    <message>
        <source>optional</source>
        <translation>freiwillig</translation>
    </message>
    <message>
        <source>used where it lies: {path}</source>
        <translation>benutzt, wo es liegt: {path}</translation>
    </message>
    <message>
        <source>Fetch again</source>
        <translation>Neu holen</translation>
    </message>
    <message>
        <source>Fetch</source>
        <translation>Holen</translation>
    </message>
    <message>
        <source>Fetch {name}</source>
        <translation>{name} holen</translation>
    </message>
    <message>
        <source>Answer with {name}</source>
        <translation>Mit {name} antworten</translation>
    </message>
    <message>
        <source>Check every byte of {name}</source>
        <translation>Jedes Byte von {name} prüfen</translation>
    </message>
    <message>
        <source>Delete {name}, after a question</source>
        <translation>{name} löschen, nach einer Rückfrage</translation>
    </message>
    <message>
        <source>Delete {name} now</source>
        <translation>{name} jetzt löschen</translation>
    </message>
    <message>
        <source>Keep {name}</source>
        <translation>{name} behalten</translation>
    </message>
    <message>
        <source>Take {name} off the list? Its file stays where it is.</source>
        <translation>{name} aus der Liste nehmen? Die Datei bleibt, wo sie ist.</translation>
    </message>
    <message>
        <source>Delete {name} and free {size}? The copy here will be gone.</source>
        <translation>{name} löschen und {size} freigeben? Die Kopie hier ist dann fort.</translation>
    </message>
    <message>
        <source>Delete {name} and free {size}? It can be fetched again.</source>
        <translation>{name} löschen und {size} freigeben? Es lässt sich wieder holen.</translation>
    </message>
</context>
<context>
    <name>ModelsDialog</name>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>A&amp;dd a language model …</source>
        <translation>Sprachmodell &amp;hinzufügen …</translation>
    </message>
    <message>
        <source>Add a language model from a GGUF file</source>
        <translation>Ein Sprachmodell aus einer GGUF-Datei hinzufügen</translation>
    </message>
    <message>
        <source>A GGUF file can also be dropped on the window.</source>
        <translation>Eine GGUF-Datei lässt sich auch auf das Fenster ziehen.</translation>
    </message>
    <message>
        <source>Copy it</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Use it where it lies</source>
        <translation>Benutzen, wo sie liegt</translation>
    </message>
    <message>
        <source>Do not add it</source>
        <translation>Nicht hinzufügen</translation>
    </message>
    <message>
        <source>Copy the file into the models folder</source>
        <translation>Die Datei in den Modellordner kopieren</translation>
    </message>
    <message>
        <source>Use the file where it lies</source>
        <translation>Die Datei benutzen, wo sie liegt</translation>
    </message>
    <message>
        <source>Do not add the file</source>
        <translation>Die Datei nicht hinzufügen</translation>
    </message>
    <message>
        <source>{name} answers still: {problem}</source>
        <translation>Es antwortet weiter {name}: {problem}</translation>
    </message>
    <message>
        <source>{name} answers from now on.</source>
        <translation>Ab jetzt antwortet {name}.</translation>
    </message>
    <message>
        <source>Wait until what is being done with models has ended.</source>
        <translation>Warten Sie, bis abgeschlossen ist, was mit Modellen geschieht.</translation>
    </message>
    <message>
        <source>Add a language model</source>
        <translation>Ein Sprachmodell hinzufügen</translation>
    </message>
    <message>
        <source>Language models (*.gguf);;All files (*)</source>
        <translation>Sprachmodelle (*.gguf);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>{file} can be used: {facts}. Copy it into the models folder, or use it where it lies? Then it must stay there.</source>
        <translation>{file} lässt sich benutzen: {facts}. In den Modellordner kopieren, oder benutzen, wo sie liegt? Dann muss sie dort bleiben.</translation>
    </message>
    <message>
        <source>licence: {name}</source>
        <translation>Lizenz: {name}</translation>
    </message>
    <message>
        <source>{name} was added: press Use to have it answer.</source>
        <translation>{name} wurde hinzugefügt: Drücken Sie Verwenden, damit es antwortet.</translation>
    </message>
    <message>
        <source>Switching to {name}; the conversation under way ends …</source>
        <translation>Wechsel zu {name}; das laufende Gespräch endet …</translation>
    </message>
    <message>
        <source>{architecture}, {layers} layers, {format}</source>
        <translation>{architecture}, {layers} Schichten, {format}</translation>
    </message>
</context>
<context>
    <name>ModelsPage</name>
    <message>
        <source>&amp;Cancel</source>
        <translation>&amp;Abbrechen</translation>
    </message>
    <message>
        <source>Check &amp;all</source>
        <translation>&amp;Alle prüfen</translation>
    </message>
    <message>
        <source>Check every byte of all models</source>
        <translation>Jedes Byte aller Modelle prüfen</translation>
    </message>
    <message>
        <source>Cancel what is being done with models</source>
        <translation>Abbrechen, was mit Modellen geschieht</translation>
    </message>
    <message>
        <source>Progress with models</source>
        <translation>Fortschritt mit Modellen</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>PADS Live cannot listen without it.</source>
        <translation>Ohne es kann PADS Live nicht zuhören.</translation>
    </message>
    <message>
        <source>It answers now: choose another language model first.</source>
        <translation>Es antwortet gerade: Wählen Sie zuerst ein anderes Sprachmodell.</translation>
    </message>
    <message>
        <source>Replies are spoken with it: switch the voice off first.</source>
        <translation>Antworten werden damit gesprochen: Schalten Sie zuerst die Stimme aus.</translation>
    </message>
    <message>
        <source>Cancelled: nothing was changed.</source>
        <translation>Abgebrochen: Nichts wurde geändert.</translation>
    </message>
    <message>
        <source>Damaged: {names}. Fetch them again.</source>
        <translation>Beschädigt: {names}. Holen Sie sie neu.</translation>
    </message>
    <message>
        <source>{count} files are as they should be, to the last bit.</source>
        <translation>{count} Dateien sind, wie sie sein sollen, bis aufs letzte Bit.</translation>
    </message>
    <message>
        <source>Fetched and checked.</source>
        <translation>Geholt und geprüft.</translation>
    </message>
    <message>
        <source>Cancelled: what was fetched whole stays, nothing is half-written.</source>
        <translation>Abgebrochen: Was ganz geholt wurde, bleibt; nichts ist halb geschrieben.</translation>
    </message>
    <message>
        <source>Deleted: {size} are free again.</source>
        <translation>Gelöscht: {size} sind wieder frei.</translation>
    </message>
    <message>
        <source>Being cancelled …</source>
        <translation>Wird abgebrochen …</translation>
    </message>
    <message>
        <source>&amp;Fetch what is missing ({size})</source>
        <translation>&amp;Fehlendes holen ({size})</translation>
    </message>
    <message>
        <source>The models here take {size} of the disk ({evidence}), in {folder}.</source>
        <translation>Die Modelle hier belegen {size} der Platte ({evidence}), in {folder}.</translation>
    </message>
    <message>
        <source>Every model that is needed is here: nothing has to be fetched.</source>
        <translation>Jedes nötige Modell ist da: Nichts muss geholt werden.</translation>
    </message>
    <message>
        <source>{count} models are missing or damaged. Fetching them needs the internet, once; afterwards PADS Live works without.</source>
        <translation>{count} Modelle fehlen oder sind beschädigt. Sie zu holen braucht einmal das Internet; danach arbeitet PADS Live ohne.</translation>
    </message>
</context>
<context>
    <name>Outcome</name>
    <message>
        <source>drafted and kept</source>
        <translation>entworfen und behalten</translation>
    </message>
    <message>
        <source>corrected</source>
        <translation>berichtigt</translation>
    </message>
    <message>
        <source>deep</source>
        <translation>tief</translation>
    </message>
    <message>
        <source>shallow, unverified</source>
        <translation>flach, ungeprüft</translation>
    </message>
</context>
<context>
    <name>Past</name>
    <message>
        <source>Export …</source>
        <translation>Exportieren …</translation>
    </message>
    <message>
        <source>Back to live</source>
        <translation>Zurück zu live</translation>
    </message>
    <message>
        <source>Conversation of this session</source>
        <translation>Gespräch dieser Sitzung</translation>
    </message>
    <message>
        <source>Export this session</source>
        <translation>Diese Sitzung exportieren</translation>
    </message>
    <message>
        <source>Back to the live conversation</source>
        <translation>Zurück zum laufenden Gespräch</translation>
    </message>
    <message>
        <source>nothing was heard</source>
        <translation>nichts wurde gehört</translation>
    </message>
    <message>
        <source>Past session of {when} · {heard}</source>
        <translation>Frühere Sitzung vom {when} · {heard}</translation>
    </message>
    <message>
        <source>CONVERSATION</source>
        <translation>GESPRÄCH</translation>
    </message>
    <message>
        <source>■ Stop ({at:.0f} s)</source>
        <translation>■ Stopp ({at:.0f} s)</translation>
    </message>
    <message>
        <source>▶ Play the sound</source>
        <translation>▶ Ton abspielen</translation>
    </message>
    <message>
        <source>From the left edge of the view</source>
        <translation>Vom linken Rand der Ansicht an</translation>
    </message>
</context>
<context>
    <name>PlotView</name>
    <message>
        <source>{name}: {count} points from {lowest} to {highest}.</source>
        <translation>{name}: {count} Punkte von {lowest} bis {highest}.</translation>
    </message>
</context>
<context>
    <name>Policies</name>
    <message>
        <source>verified</source>
        <translation>geprüft</translation>
    </message>
    <message>
        <source>always all layers</source>
        <translation>immer alle Schichten</translation>
    </message>
    <message>
        <source>first layers alone</source>
        <translation>nur die ersten Schichten</translation>
    </message>
    <message>
        <source>deep where unsure</source>
        <translation>tief, wo unsicher</translation>
    </message>
    <message>
        <source>deep where needed</source>
        <translation>tief, wo nötig</translation>
    </message>
</context>
<context>
    <name>Preferences</name>
    <message>
        <source>{what}. The file was set aside as {name}, and the defaults are used.</source>
        <translation>{what}. Die Datei wurde als {name} beiseitegelegt, und es gelten die Voreinstellungen.</translation>
    </message>
</context>
<context>
    <name>Presenter</name>
    <message>
        <source>PADS Live: presenter mode</source>
        <translation>PADS Live: Vorführmodus</translation>
    </message>
    <message>
        <source>Presenter mode</source>
        <translation>Vorführmodus</translation>
    </message>
    <message>
        <source>The {name} stopped ({reason}): close the window and start again.</source>
        <translation>„{name}“ ist stehen geblieben ({reason}): Schließen Sie das Fenster und starten Sie neu.</translation>
    </message>
    <message>
        <source>There are no demos here: install PADS Live again.</source>
        <translation>Hier gibt es keine Demos: Installieren Sie PADS Live neu.</translation>
    </message>
    <message>
        <source>N next demo</source>
        <translation>N nächste Demo</translation>
    </message>
    <message>
        <source>M unmute</source>
        <translation>M wieder laut</translation>
    </message>
    <message>
        <source>M mute voice and microphone</source>
        <translation>M Stimme und Mikrofon stumm</translation>
    </message>
    <message>
        <source>K loop</source>
        <translation>K Schleife</translation>
    </message>
    <message>
        <source>K end the loop</source>
        <translation>K Schleife beenden</translation>
    </message>
    <message>
        <source>R slow tokens</source>
        <translation>R langsame Token</translation>
    </message>
    <message>
        <source>Esc leave</source>
        <translation>Esc verlassen</translation>
    </message>
    <message>
        <source>Muted: no reply is spoken, the microphone is closed</source>
        <translation>Stumm: Keine Antwort wird gesprochen, das Mikrofon ist zu</translation>
    </message>
    <message>
        <source>Ask something: the microphone listens</source>
        <translation>Fragen Sie etwas: Das Mikrofon hört zu</translation>
    </message>
</context>
<context>
    <name>Profiler</name>
    <message>
        <source>Conversation profiler</source>
        <translation>Gesprächsprofiler</translation>
    </message>
    <message>
        <source>Audio, turn-end probability, verdicts, decoder work and replies on one time axis.</source>
        <translation>Ton, Wahrscheinlichkeit des Beitragsendes, Urteile, Arbeit des Dekodierers und Antworten auf einer Zeitachse.</translation>
    </message>
</context>
<context>
    <name>RecordingLamp</name>
    <message>
        <source>● recording sound</source>
        <translation>● Ton wird aufgenommen</translation>
    </message>
</context>
<context>
    <name>RecordingSwitch</name>
    <message>
        <source>Record sound</source>
        <translation>Tonaufnahme</translation>
    </message>
    <message>
        <source>Keeps what is heard beside the session&apos;s record, for you alone; a past session can play it. Off again at every start.</source>
        <translation>Bewahrt Gehörtes neben der Aufzeichnung der Sitzung auf, nur für Sie; eine vergangene Sitzung kann es abspielen. Bei jedem Start wieder aus.</translation>
    </message>
</context>
<context>
    <name>RehearsalDialog</name>
    <message>
        <source>Rehearsal</source>
        <translation>Probe</translation>
    </message>
    <message>
        <source>Checks what a presentation needs: other programs, power, memory, disk, models, microphone, one question answered from end to end, and heat. It takes half a minute; nobody needs to speak.</source>
        <translation>Prüft, was eine Vorführung braucht: andere Programme, Strom, Speicher, Platte, Modelle, Mikrofon, eine Frage von Anfang bis Ende beantwortet, und Wärme. Es dauert eine halbe Minute; niemand muss sprechen.</translation>
    </message>
    <message>
        <source>&amp;Rehearse</source>
        <translation>&amp;Proben</translation>
    </message>
    <message>
        <source>Start the rehearsal</source>
        <translation>Die Probe starten</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Checks</source>
        <translation>Prüfungen</translation>
    </message>
    <message>
        <source>The rehearsal broke off ({reason}).</source>
        <translation>Die Probe brach ab ({reason}).</translation>
    </message>
</context>
<context>
    <name>ResultView</name>
    <message>
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>No result yet.</source>
        <translation>Noch kein Ergebnis.</translation>
    </message>
    <message>
        <source>A difference is given only where both runs measured the figure on the same kind of machine; point at a dash to see why there is none.</source>
        <translation>Ein Unterschied steht nur da, wo beide Läufe die Zahl auf einem Rechner derselben Art gemessen haben; zeigen Sie auf einen Strich, um zu sehen, warum keiner dasteht.</translation>
    </message>
    <message>
        <source>All figures</source>
        <translation>Alle Zahlen</translation>
    </message>
</context>
<context>
    <name>Results</name>
    <message>
        <source>&amp;Export as CSV …</source>
        <translation>Als CSV &amp;exportieren …</translation>
    </message>
    <message>
        <source>&amp;Reset the results</source>
        <translation>Die Ergebnisse &amp;zurücksetzen</translation>
    </message>
    <message>
        <source>&amp;Undo the reset</source>
        <translation>Das Zurücksetzen &amp;rückgängig machen</translation>
    </message>
    <message>
        <source>Exported to {file}.</source>
        <translation>Exportiert nach {file}.</translation>
    </message>
    <message>
        <source>Export as CSV</source>
        <translation>Als CSV exportieren</translation>
    </message>
    <message>
        <source>Tables (*.csv)</source>
        <translation>Tabellen (*.csv)</translation>
    </message>
    <message>
        <source>What there was is kept in {file}.</source>
        <translation>Was es gab, ist in {file} aufbewahrt.</translation>
    </message>
    <message>
        <source>The results are back.</source>
        <translation>Die Ergebnisse sind wieder da.</translation>
    </message>
    <message>
        <source>No visitor has taken part yet.</source>
        <translation>Noch kein Besucher hat teilgenommen.</translation>
    </message>
    <message>
        <source>All visitors so far ({visitors}): in {k} of {n} choices the answer with PADS felt quicker, {share:.0%} [{low:.0%}, {high:.0%}] ({evidence}; Wilson, {level:.0%}, choices taken as independent). Guessing gives 50 %; so far from it by chance alone: p = {p:.2g} ({derived}).</source>
        <translation>Alle Besucher bisher ({visitors}): Bei {k} von {n} Entscheidungen wirkte die Antwort mit PADS schneller, {share:.0%} [{low:.0%}, {high:.0%}] ({evidence}; Wilson, {level:.0%}, Entscheidungen als unabhängig genommen). Raten gibt 50 %; so weit davon allein durch Zufall: p = {p:.2g} ({derived}).</translation>
    </message>
    <message>
        <source>The first word came after {on:.0f} ms with PADS and {off:.0f} ms without, {earlier:.0f} ms earlier (medians, {evidence}).</source>
        <translation>Das erste Wort kam nach {on:.0f} ms mit PADS und {off:.0f} ms ohne, {earlier:.0f} ms früher (Mediane, {evidence}).</translation>
    </message>
</context>
<context>
    <name>Reveal</name>
    <message>
        <source>{ms:.0f} ms with PADS</source>
        <translation>{ms:.0f} ms mit PADS</translation>
    </message>
    <message>
        <source>{ms:.0f} ms without PADS</source>
        <translation>{ms:.0f} ms ohne PADS</translation>
    </message>
    <message>
        <source>Both waits of every question</source>
        <translation>Beide Wartezeiten jeder Frage</translation>
    </message>
    <message>
        <source>with PADS</source>
        <translation>mit PADS</translation>
    </message>
    <message>
        <source>without PADS</source>
        <translation>ohne PADS</translation>
    </message>
    <message>
        <source>Question {n}: {on:.0f} ms with PADS, {off:.0f} ms without ({evidence}); felt quicker: {felt}.</source>
        <translation>Frage {n}: {on:.0f} ms mit PADS, {off:.0f} ms ohne ({evidence}); schneller wirkte: {felt}.</translation>
    </message>
    <message>
        <source>Question {n}</source>
        <translation>Frage {n}</translation>
    </message>
</context>
<context>
    <name>RunView</name>
    <message>
        <source>&amp;Cancel</source>
        <translation>&amp;Abbrechen</translation>
    </message>
    <message>
        <source>&amp;Go on</source>
        <translation>&amp;Fortsetzen</translation>
    </message>
    <message>
        <source>Start &amp;again …</source>
        <translation>&amp;Noch einmal starten …</translation>
    </message>
    <message>
        <source>Compare &amp;with</source>
        <translation>&amp;Vergleichen mit</translation>
    </message>
    <message>
        <source>Open &amp;folder</source>
        <translation>&amp;Ordner öffnen</translation>
    </message>
    <message>
        <source>What the run left</source>
        <translation>Was der Lauf hinterlassen hat</translation>
    </message>
    <message>
        <source>Progress of the job</source>
        <translation>Fortschritt des Auftrags</translation>
    </message>
    <message>
        <source>Cancel the run</source>
        <translation>Den Lauf abbrechen</translation>
    </message>
    <message>
        <source>Go on from the last checkpoint</source>
        <translation>Vom letzten Zwischenstand fortsetzen</translation>
    </message>
    <message>
        <source>Start the job again with these parameters</source>
        <translation>Den Auftrag mit diesen Parametern noch einmal starten</translation>
    </message>
    <message>
        <source>Compare with another run of this job</source>
        <translation>Mit einem anderen Lauf dieses Auftrags vergleichen</translation>
    </message>
    <message>
        <source>Open the run&apos;s folder</source>
        <translation>Den Ordner des Laufs öffnen</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>Protokoll</translation>
    </message>
    <message>
        <source>Record</source>
        <translation>Aufzeichnung</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>is being cancelled</source>
        <translation>wird abgebrochen</translation>
    </message>
    <message>
        <source>about {time} left</source>
        <translation>noch etwa {time}</translation>
    </message>
    <message>
        <source>took {time}</source>
        <translation>dauerte {time}</translation>
    </message>
    <message>
        <source>at most {amount} MB of memory (measured)</source>
        <translation>höchstens {amount} MB Speicher (gemessen)</translation>
    </message>
    <message>
        <source>superseded by {run}</source>
        <translation>ersetzt durch {run}</translation>
    </message>
    <message>
        <source>This run has no result, because it did not finish.</source>
        <translation>Dieser Lauf hat kein Ergebnis, weil er nicht zu Ende kam.</translation>
    </message>
    <message>
        <source>The result comes here when the run has finished.</source>
        <translation>Das Ergebnis kommt hierher, wenn der Lauf zu Ende ist.</translation>
    </message>
    <message>
        <source>{used} MB of {limit} MB memory allowed (measured)</source>
        <translation>{used} MB von {limit} MB erlaubtem Speicher (gemessen)</translation>
    </message>
</context>
<context>
    <name>Rungs</name>
    <message>
        <source>Layers used by the token</source>
        <translation>Vom Token benutzte Schichten</translation>
    </message>
</context>
<context>
    <name>Runs</name>
    <message>
        <source>waiting</source>
        <translation>wartet</translation>
    </message>
    <message>
        <source>running</source>
        <translation>läuft</translation>
    </message>
    <message>
        <source>finished</source>
        <translation>beendet</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>gescheitert</translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation>abgebrochen</translation>
    </message>
    <message>
        <source>{count} s</source>
        <translation>{count} s</translation>
    </message>
    <message>
        <source>{count} min</source>
        <translation>{count} min</translation>
    </message>
    <message>
        <source>{count} h</source>
        <translation>{count} h</translation>
    </message>
    <message>
        <source>{level} interval: {method}</source>
        <translation>{level}-Intervall: {method}</translation>
    </message>
    <message>
        <source>superseded</source>
        <translation>ersetzt</translation>
    </message>
</context>
<context>
    <name>SettingEditor</name>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>on</source>
        <translation>an</translation>
    </message>
    <message>
        <source>off</source>
        <translation>aus</translation>
    </message>
    <message>
        <source>Choose …</source>
        <translation>Wählen …</translation>
    </message>
    <message>
        <source>Choose a folder: {name}</source>
        <translation>Einen Ordner wählen: {name}</translation>
    </message>
</context>
<context>
    <name>SettingTexts</name>
    <message>
        <source>Appearance</source>
        <translation>Aussehen</translation>
    </message>
    <message>
        <source>When deep work starts</source>
        <translation>Wann tiefe Arbeit beginnt</translation>
    </message>
    <message>
        <source>Language model</source>
        <translation>Sprachmodell</translation>
    </message>
    <message>
        <source>Training and evaluation</source>
        <translation>Training und Auswertung</translation>
    </message>
    <message>
        <source>As the desktop</source>
        <translation>Wie der Desktop</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>Farben</translation>
    </message>
    <message>
        <source>Light and dark show the same; high contrast is bolder.</source>
        <translation>Hell und dunkel zeigen dasselbe; hoher Kontrast ist kräftiger.</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>High contrast</source>
        <translation>Hoher Kontrast</translation>
    </message>
    <message>
        <source>Text size</source>
        <translation>Schriftgröße</translation>
    </message>
    <message>
        <source>Everything written grows; where it no longer fits, the window scrolls.</source>
        <translation>Alles Geschriebene wächst; wo es nicht mehr passt, lässt sich das Fenster rollen.</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>Of the window. Conversations stay in English.</source>
        <translation>Des Fensters. Gespräche bleiben englisch.</translation>
    </message>
    <message>
        <source>Start when your turn ends with probability</source>
        <translation>Beginnen ab dieser Wahrscheinlichkeit, dass Ihr Beitrag endet</translation>
    </message>
    <message>
        <source>Lower starts in more pauses, and throws more work away because you go on speaking. The dashed line in the lane “turn end” shows it.</source>
        <translation>Niedriger beginnt in mehr Pausen und verwirft mehr Arbeit, weil Sie weitersprechen. Die gestrichelte Linie in der Spur „Ende“ zeigt den Wert.</translation>
    </message>
    <message>
        <source>Start when the answer needs depth with probability</source>
        <translation>Beginnen ab dieser Wahrscheinlichkeit, dass die Antwort Tiefe braucht</translation>
    </message>
    <message>
        <source>Questions and requests need depth, small talk mostly not. Lower starts for more of what you say.</source>
        <translation>Fragen und Bitten brauchen Tiefe, Plauderei meist nicht. Niedriger beginnt bei mehr von dem, was Sie sagen.</translation>
    </message>
    <message>
        <source>Patience</source>
        <translation>Geduld</translation>
    </message>
    <message>
        <source>How long you may be silent before your turn counts as over. Eager answers soon and cuts you off more often; patient waits longer.</source>
        <translation>Wie lange Sie schweigen dürfen, bevor Ihr Beitrag als beendet gilt. Eifrig antwortet bald und fällt Ihnen öfter ins Wort; geduldig wartet länger.</translation>
    </message>
    <message>
        <source>Eager</source>
        <translation>Eifrig</translation>
    </message>
    <message>
        <source>Balanced</source>
        <translation>Ausgewogen</translation>
    </message>
    <message>
        <source>Patient</source>
        <translation>Geduldig</translation>
    </message>
    <message>
        <source>Read along while you speak</source>
        <translation>Mitlesen, während Sie sprechen</translation>
    </message>
    <message>
        <source>Words are recognised while you speak, and the model&apos;s first layers read them. It takes a share of a core.</source>
        <translation>Wörter werden erkannt, während Sie sprechen, und die ersten Schichten des Modells lesen sie. Es nimmt einen Teil eines Kerns.</translation>
    </message>
    <message>
        <source>Draft ahead</source>
        <translation>Vorausentwerfen</translation>
    </message>
    <message>
        <source>The first layers draft tokens that all layers then check. On a small model it can be slower than plain decoding.</source>
        <translation>Die ersten Schichten entwerfen Token, die dann alle Schichten prüfen. Bei einem kleinen Modell kann es langsamer sein als einfaches Dekodieren.</translation>
    </message>
    <message>
        <source>Always, to show it</source>
        <translation>Immer, um es zu zeigen</translation>
    </message>
    <message>
        <source>Where it was measured to be faster</source>
        <translation>Wo es gemessen schneller ist</translation>
    </message>
    <message>
        <source>Never</source>
        <translation>Nie</translation>
    </message>
    <message>
        <source>Exit layer</source>
        <translation>Ausstiegsschicht</translation>
    </message>
    <message>
        <source>After how many layers a draft is made. Fewer are faster, but fewer of their drafts are kept.</source>
        <translation>Nach wie vielen Schichten entworfen wird. Weniger sind schneller, aber weniger ihrer Entwürfe werden behalten.</translation>
    </message>
    <message>
        <source>Tokens drafted at a time</source>
        <translation>Token je Entwurf</translation>
    </message>
    <message>
        <source>More gain where drafts are kept, and cost where not.</source>
        <translation>Mehr bringt mehr, wo Entwürfe behalten werden, und kostet mehr, wo nicht.</translation>
    </message>
    <message>
        <source>Use a trained exit</source>
        <translation>Trainierten Ausstieg benutzen</translation>
    </message>
    <message>
        <source>Draft from a layer that was trained for this exit, where there is one.</source>
        <translation>Aus einer Schicht entwerfen, die für diesen Ausstieg trainiert wurde, wo es eine gibt.</translation>
    </message>
    <message>
        <source>Exit policy</source>
        <translation>Ausstiegsregel</translation>
    </message>
    <message>
        <source>The first two serve exactly what the whole model would say; the others serve unchecked tokens of the first layers.</source>
        <translation>Die ersten beiden liefern genau, was das ganze Modell sagen würde; die anderen liefern ungeprüfte Token der ersten Schichten.</translation>
    </message>
    <message>
        <source>Every draft is checked</source>
        <translation>Jeder Entwurf wird geprüft</translation>
    </message>
    <message>
        <source>Always all layers</source>
        <translation>Immer alle Schichten</translation>
    </message>
    <message>
        <source>Deep where a token is unsure</source>
        <translation>Tief, wo ein Token unsicher ist</translation>
    </message>
    <message>
        <source>Deep where the answer needs it</source>
        <translation>Tief, wo die Antwort es braucht</translation>
    </message>
    <message>
        <source>Only the first layers</source>
        <translation>Nur die ersten Schichten</translation>
    </message>
    <message>
        <source>Threshold of the exit policy</source>
        <translation>Schwelle der Ausstiegsregel</translation>
    </message>
    <message>
        <source>A token less sure than this goes deep; for the dialogue act, a turn more probably deep than this.</source>
        <translation>Ein Token, das unsicherer ist, geht tief; beim Sprechakt ein Beitrag, der wahrscheinlicher Tiefe braucht.</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Temperatur</translation>
    </message>
    <message>
        <source>0 always takes the most probable token; more makes replies vary.</source>
        <translation>0 nimmt immer das wahrscheinlichste Token; mehr lässt Antworten wechseln.</translation>
    </message>
    <message>
        <source>Longest reply</source>
        <translation>Längste Antwort</translation>
    </message>
    <message>
        <source>In tokens; three are about two words.</source>
        <translation>In Token; drei sind etwa zwei Wörter.</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>Cores that decode at the same time. Listening needs one besides.</source>
        <translation>Kerne, die zugleich dekodieren. Zuhören braucht einen weiteren.</translation>
    </message>
    <message>
        <source>Instruction to the model</source>
        <translation>Anweisung an das Modell</translation>
    </message>
    <message>
        <source>Stands before every conversation, unseen.</source>
        <translation>Steht ungesehen vor jedem Gespräch.</translation>
    </message>
    <message>
        <source>Research data</source>
        <translation>Forschungsdaten</translation>
    </message>
    <message>
        <source>Folder of the corpora that training and evaluation read. Conversations need none.</source>
        <translation>Ordner der Korpora, die Training und Auswertung lesen. Gespräche brauchen keine.</translation>
    </message>
</context>
<context>
    <name>SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>&amp;Reset this group</source>
        <translation>Diese Gruppe &amp;zurücksetzen</translation>
    </message>
    <message>
        <source>Reset the group {title}</source>
        <translation>Die Gruppe {title} zurücksetzen</translation>
    </message>
    <message>
        <source>Counts at once.</source>
        <translation>Gilt sofort.</translation>
    </message>
    <message>
        <source>Counts from the next start of PADS Live.</source>
        <translation>Gilt ab dem nächsten Start von PADS Live.</translation>
    </message>
    <message>
        <source>Default: {value}.</source>
        <translation>Voreinstellung: {value}.</translation>
    </message>
    <message>
        <source>In this conversation no pause has been judged yet.</source>
        <translation>In diesem Gespräch wurde noch keine Pause beurteilt.</translation>
    </message>
    <message>
        <source>Of {n} pauses in this conversation deep work would start in {would} ({evidence}).</source>
        <translation>Von {n} Pausen in diesem Gespräch würde tiefe Arbeit in {would} beginnen ({evidence}).</translation>
    </message>
</context>
<context>
    <name>SoundDialog</name>
    <message>
        <source>Sound</source>
        <translation>Ton</translation>
    </message>
    <message>
        <source>Replies</source>
        <translation>Antworten</translation>
    </message>
    <message>
        <source>Recording</source>
        <translation>Aufnahme</translation>
    </message>
</context>
<context>
    <name>Strip</name>
    <message>
        <source>Newest tokens</source>
        <translation>Neueste Token</translation>
    </message>
</context>
<context>
    <name>Switch</name>
    <message>
        <source>{name} on</source>
        <translation>{name} an</translation>
    </message>
    <message>
        <source>{name} off</source>
        <translation>{name} aus</translation>
    </message>
</context>
<context>
    <name>Tables</name>
    <message>
        <source>figure</source>
        <translation>Zahl</translation>
    </message>
    <message>
        <source>value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>interval</source>
        <translation>Intervall</translation>
    </message>
    <message>
        <source>evidence</source>
        <translation>Beleg</translation>
    </message>
    <message>
        <source>All figures</source>
        <translation>Alle Zahlen</translation>
    </message>
    <message>
        <source>intervals apart</source>
        <translation>Intervalle getrennt</translation>
    </message>
    <message>
        <source>intervals overlap</source>
        <translation>Intervalle überlappen</translation>
    </message>
    <message>
        <source>difference</source>
        <translation>Unterschied</translation>
    </message>
    <message>
        <source>Two runs side by side</source>
        <translation>Zwei Läufe nebeneinander</translation>
    </message>
</context>
<context>
    <name>Verdicts</name>
    <message>
        <source>{act} · deep {p}</source>
        <translation>{act} · tief {p}</translation>
    </message>
</context>
<context>
    <name>Vital</name>
    <message>
        <source>{meaning}: the last minute</source>
        <translation>{meaning}: die letzte Minute</translation>
    </message>
    <message>
        <source>{meaning} unavailable: {why}</source>
        <translation>{meaning} nicht verfügbar: {why}</translation>
    </message>
</context>
<context>
    <name>Vitals</name>
    <message>
        <source>cores busy</source>
        <translation>Kerne beschäftigt</translation>
    </message>
    <message>
        <source>clock</source>
        <translation>Takt</translation>
    </message>
    <message>
        <source>temperature</source>
        <translation>Temperatur</translation>
    </message>
    <message>
        <source>throttling</source>
        <translation>Drosselung</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>power</source>
        <translation>Leistung</translation>
    </message>
    <message>
        <source>audio blocks lost</source>
        <translation>Tonblöcke verloren</translation>
    </message>
    <message>
        <source>audio blocks lost · {evidence}</source>
        <translation>Tonblöcke verloren · {evidence}</translation>
    </message>
    <message>
        <source>of {n} cores · own {own:.0f} % of one · {evidence}</source>
        <translation>von {n} Kernen · selbst {own:.0f} % von einem · {evidence}</translation>
    </message>
    <message>
        <source>of {n} cores · {evidence}</source>
        <translation>von {n} Kernen · {evidence}</translation>
    </message>
    <message>
        <source>{low:.1f} to {high:.1f} GHz</source>
        <translation>{low:.1f} bis {high:.1f} GHz</translation>
    </message>
    <message>
        <source>single cores unavailable</source>
        <translation>einzelne Kerne nicht verfügbar</translation>
    </message>
    <message>
        <source>hottest core {c:.0f} °C</source>
        <translation>heißester Kern {c:.0f} °C</translation>
    </message>
    <message>
        <source>own share; {used} of {total} used</source>
        <translation>eigener Anteil; {used} von {total} belegt</translation>
    </message>
    <message>
        <source>no readings arrive</source>
        <translation>es kommen keine Messwerte an</translation>
    </message>
</context>
<context>
    <name>VoiceChoice</name>
    <message>
        <source>Loudspeaker</source>
        <translation>Lautsprecher</translation>
    </message>
    <message>
        <source>While a reply is spoken the microphone is not listened to, so that the application does not answer itself: wait until it has finished.</source>
        <translation>Während eine Antwort gesprochen wird, wird dem Mikrofon nicht zugehört, damit das Programm nicht sich selbst antwortet: Warten Sie, bis sie zu Ende ist.</translation>
    </message>
    <message>
        <source>Headphones</source>
        <translation>Kopfhörer</translation>
    </message>
    <message>
        <source>Speak into a reply and it stops; what you have not heard of it is forgotten. Beside a loudspeaker it would hear itself.</source>
        <translation>Sprechen Sie in eine Antwort hinein, hört sie auf; was Sie davon nicht gehört haben, wird vergessen. Neben einem Lautsprecher würde es sich selbst hören.</translation>
    </message>
    <message>
        <source>Voice</source>
        <translation>Stimme</translation>
    </message>
    <message>
        <source>Replies are heard through</source>
        <translation>Antworten sind zu hören über</translation>
    </message>
</context>
<context>
    <name>WhatYouSee</name>
    <message>
        <source>While you pause, the machine can already work out the deep part of its answer. PADS Live shows when it does so, what that saves, and what wrong guesses cost.</source>
        <translation>Während Sie eine Pause machen, kann die Maschine den tiefen Teil ihrer Antwort schon ausarbeiten. PADS Live zeigt, wann sie das tut, was es spart und was falsche Vermutungen kosten.</translation>
    </message>
    <message>
        <source>The four numbers</source>
        <translation>Die vier Zahlen</translation>
    </message>
    <message>
        <source>How long after your turn the first word came; how long it would have taken without PADS; how much deep work was hidden in your pauses so far; and which share of all deep work was thrown away because you went on speaking.</source>
        <translation>Wie lange nach dem Ende Ihres Beitrags das erste Wort kam; wie lange es ohne PADS gedauert hätte; wie viel tiefe Arbeit bisher in Ihren Pausen verborgen wurde; und welcher Anteil aller tiefen Arbeit verworfen wurde, weil Sie weitersprachen.</translation>
    </message>
    <message>
        <source>Lane “audio”</source>
        <translation>Spur „Ton“</translation>
    </message>
    <message>
        <source>What is heard, shaded where somebody speaks.</source>
        <translation>Was gehört wird, schattiert, wo jemand spricht.</translation>
    </message>
    <message>
        <source>Lane “turn end”</source>
        <translation>Spur „Ende“</translation>
    </message>
    <message>
        <source>How likely you have finished, judged in every pause. Only above the dashed line may deep work start early.</source>
        <translation>Wie wahrscheinlich Sie fertig sind, in jeder Pause beurteilt. Nur über der gestrichelten Linie darf tiefe Arbeit vorzeitig beginnen.</translation>
    </message>
    <message>
        <source>Lane “verdict”</source>
        <translation>Spur „Urteil“</translation>
    </message>
    <message>
        <source>What kind of sentence you said, such as a question or a promise, and how likely the answer needs depth, from 0 to 1. It is green when both conditions are met and deep work starts.</source>
        <translation>Welche Art von Satz Sie gesagt haben, etwa eine Frage oder eine Zusage, und wie wahrscheinlich die Antwort Tiefe braucht, von 0 bis 1. Grün ist es, wenn beide Bedingungen erfüllt sind und tiefe Arbeit beginnt.</translation>
    </message>
    <message>
        <source>Lane “decoder”</source>
        <translation>Spur „Dekodierer“</translation>
    </message>
    <message>
        <source>The language model at work. Its shallow layers read along while you speak. Its deep layers work on the answer: green is hidden in your pause, yellow is time you wait, hatched was thrown away.</source>
        <translation>Das Sprachmodell bei der Arbeit. Seine flachen Schichten lesen mit, während Sie sprechen. Seine tiefen Schichten arbeiten an der Antwort: Grün ist in Ihrer Pause verborgen, Gelb ist Zeit, die Sie warten, Schraffiertes wurde verworfen.</translation>
    </message>
    <message>
        <source>Lane “reply”</source>
        <translation>Spur „Antwort“</translation>
    </message>
    <message>
        <source>The answer. It is never shown before your turn is over.</source>
        <translation>Die Antwort. Sie wird nie gezeigt, bevor Ihr Beitrag vorbei ist.</translation>
    </message>
    <message>
        <source>Exit ladder</source>
        <translation>Ausstiegsleiter</translation>
    </message>
    <message>
        <source>One rung for each layer of the model. The layers up to the outlined one, the exit, guess the next piece of a word, called a token, and all layers check the guess. Below stand the newest tokens: a guess that was kept, one that was corrected, or one that the whole model wrote by itself.</source>
        <translation>Eine Sprosse für jede Schicht des Modells. Die Schichten bis zur umrandeten, dem Ausstieg, raten das nächste Stück eines Wortes, ein Token, und alle Schichten prüfen es. Darunter stehen die neuesten Token: geraten und behalten, berichtigt, oder vom ganzen Modell allein geschrieben.</translation>
    </message>
    <message>
        <source>“exact” and “verified”</source>
        <translation>„exakt“ und „geprüft“</translation>
    </message>
    <message>
        <source>All guesses are checked, and at the start it was measured that the answer is the same, token by token, as without guessing. The badge opens what was checked.</source>
        <translation>Alles Geratene wird geprüft, und beim Start wurde gemessen, dass die Antwort Token für Token dieselbe ist wie ohne Raten. Das Schild öffnet, was geprüft wurde.</translation>
    </message>
    <message>
        <source>The row at the bottom</source>
        <translation>Die Zeile ganz unten</translation>
    </message>
    <message>
        <source>What the machine does meanwhile: load, clock, heat, throttling, memory, power, and pieces of sound that were lost. What it does not tell is named, never guessed.</source>
        <translation>Was die Maschine währenddessen tut: Last, Takt, Wärme, Drosselung, Speicher, Leistung, und verlorene Stücke Ton. Was sie nicht verrät, wird genannt und nie geschätzt.</translation>
    </message>
    <message>
        <source>The word behind a number</source>
        <translation>Das Wort hinter einer Zahl</translation>
    </message>
    <message>
        <source>“measured” was measured on this machine, “derived” was calculated from what was measured, “published” stands in a publication of others, and “unavailable” says why there is no number.</source>
        <translation>„gemessen“ wurde auf dieser Maschine gemessen, „abgeleitet“ aus Gemessenem berechnet, „veröffentlicht“ steht in einer Veröffentlichung anderer, und „nicht verfügbar“ sagt, warum es keine Zahl gibt.</translation>
    </message>
</context>
<context>
    <name>WhatYouSeeDialog</name>
    <message>
        <source>What you see</source>
        <translation>Was Sie sehen</translation>
    </message>
</context>
<context>
    <name>Words</name>
    <message>
        <source>You: {words}</source>
        <translation>Sie: {words}</translation>
    </message>
    <message>
        <source>Answer: {words}</source>
        <translation>Antwort: {words}</translation>
    </message>
</context>
<context>
    <name>Work</name>
    <message>
        <source>starting early {ms:.0f} ms</source>
        <translation>beginnt früh {ms:.0f} ms</translation>
    </message>
    <message>
        <source>hidden {ms:.0f} ms</source>
        <translation>verborgen {ms:.0f} ms</translation>
    </message>
    <message>
        <source>visible {ms:.0f} ms</source>
        <translation>sichtbar {ms:.0f} ms</translation>
    </message>
    <message>
        <source>thrown away {ms:.0f} ms</source>
        <translation>verworfen {ms:.0f} ms</translation>
    </message>
    <message>
        <source>shallow layers</source>
        <translation>flache Schichten</translation>
    </message>
    <message>
        <source>deep, hidden in a pause</source>
        <translation>tief, in einer Pause verborgen</translation>
    </message>
    <message>
        <source>deep, after the turn</source>
        <translation>tief, nach dem Beitrag</translation>
    </message>
    <message>
        <source>deep, thrown away</source>
        <translation>tief, verworfen</translation>
    </message>
    <message>
        <source>all measured</source>
        <translation>alles gemessen</translation>
    </message>
</context>
</TS>
