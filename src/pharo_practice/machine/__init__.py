"""The machine: it runs the code of contexts, switches between processes, and keeps limits.

A context (``model.objects.Context``) is one activation of a method or block. Contexts are objects on the
heap that know their senders, so Python's own stack does not grow with Smalltalk's: ``thisContext``, deep
recursion, stepping and termination need nothing special. The ``frame`` of a context holds its arguments,
its temporaries, and what its code has pushed; its ``pc`` is the index of the next operation.

The loop (``Machine.run``) calls the operations of the active context one after the other. Each returns
the index of the next one, or 0 after it may have made another context active. A send activates a new
context whose sender is the context that sent; a return activates the sender and pushes the value there.
After 1,000 such changes the loop polls clocks, descriptors and limits, and lets a process of higher
priority run. Nothing else interrupts code, and no primitive ever waits.

A process is a Smalltalk object that holds its topmost context while it does not run (``scheduler``). To
switch is to store the active context in one process and to activate that of another. Timers and sockets
only signal semaphores; a semaphore keeps the processes that wait for it in order.

Exceptions are Smalltalk code of the kernel over some primitives on contexts (``primitives.contexts``).
Two kinds of contexts are marked by the number of a primitive that their method names: 199 marks a handler
(``on:do:``), 198 an unwind block (``ensure:``). An example, from beginning to end::

    [ [ 3 / 0 ] ensure: [ Transcript show: 'bye' ] ] on: ZeroDivide do: [ :error | error return: 5 ]

1. ``on:do:`` is activated, its context is marked 199; it evaluates the first block, which sends
   ``ensure:``, whose context is marked 198 and evaluates ``[ 3 / 0 ]``.
2. The primitive of ``/`` does not divide by 0. It raises ``PrimitiveFailed``, so the Smalltalk code of
   the method is activated, and that signals ZeroDivide.
3. ``signal`` asks for the next context marked 199 among its senders. The handler's class fits, so its
   block is evaluated on top of everything: nothing is unwound yet, and ``error resume: 7`` would answer 7
   to whoever signalled.
4. ``error return: 5`` is a return from the context of ``on:do:``. Before it, each context between that is
   marked 198 and not complete is marked complete, the contexts above it are cut off (their sender becomes
   ``DEAD``), and its unwind block is evaluated: 'bye'.
5. All contexts down to that of ``on:do:`` are cut off, and its sender goes on with 5.

A ``^`` in a block does the same from its home context (``Interpreter.return_through``), and so does
``Process>>terminate``, from the bottom of the process.
"""
