extension PublicSuffixList {
    /// A short list written by hand: common second levels, common hosts of other people's pages, a wildcard and its
    /// exceptions.
    ///
    /// It is for tests and stands in for the whole list, which changes each week. A suffix that is not here is taken for
    /// an ordinary domain: pass the list of the day to ``init(parsing:)`` where that matters.
    public static let builtIn = PublicSuffixList(parsing: builtInText)

    private static let builtInText = """
        // Second levels under which anybody registers.
        ac.at
        co.at
        gv.at
        or.at
        com.au
        edu.au
        gov.au
        id.au
        net.au
        org.au
        com.br
        gov.br
        net.br
        org.br
        com.cn
        gov.cn
        net.cn
        org.cn
        公司.cn
        co.id
        co.il
        ac.il
        org.il
        ac.in
        co.in
        gov.in
        net.in
        org.in
        ac.jp
        ad.jp
        co.jp
        ed.jp
        go.jp
        gr.jp
        lg.jp
        ne.jp
        or.jp
        ac.kr
        co.kr
        go.kr
        or.kr
        com.mx
        gob.mx
        org.mx
        com.my
        ac.nz
        co.nz
        govt.nz
        net.nz
        org.nz
        com.ph
        com.pl
        edu.pl
        gov.pl
        net.pl
        org.pl
        com.sg
        edu.sg
        gov.sg
        ac.th
        co.th
        go.th
        com.tr
        edu.tr
        gov.tr
        com.tw
        edu.tw
        gov.tw
        org.tw
        com.ua
        gov.ua
        ac.uk
        co.uk
        gov.uk
        ltd.uk
        me.uk
        net.uk
        nhs.uk
        org.uk
        plc.uk
        police.uk
        sch.uk
        com.vn
        ac.za
        co.za
        gov.za
        org.za

        // Wildcards and their exceptions.
        *.ck
        !www.ck
        *.kawasaki.jp
        !city.kawasaki.jp
        *.kobe.jp
        !city.kobe.jp
        *.bd
        *.np

        // Hosts of other people's pages.
        appspot.com
        azurewebsites.net
        blogspot.com
        cloudfront.net
        *.compute.amazonaws.com
        firebaseapp.com
        fly.dev
        github.dev
        github.io
        gitlab.io
        glitch.me
        herokuapp.com
        netlify.app
        ngrok.app
        ngrok-free.app
        ngrok.io
        onrender.com
        pages.dev
        s3.amazonaws.com
        vercel.app
        web.app
        workers.dev
        """
}
